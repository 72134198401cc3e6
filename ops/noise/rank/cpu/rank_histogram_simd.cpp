// SPDX-License-Identifier: Apache-2.0
// Rectangles of bytes in a time that hardly depends on their size (Perreault and Hébert 2007).
// Every column of the rows under the window has a histogram, which changes by two pixels per row;
// the window's own changes by two columns per pixel. Both have two levels, of 16 counts each: the
// upper four bits, and the lower four of every value of the upper ones. Counts are added up over
// smaller values, so that one comparison of sixteen finds a place among them.
#include <algorithm>
#include <cstring>

#include "core/pools.hpp"
#include "ops/noise/rank/cpu/rank_block.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/noise/rank/cpu/rank_histogram_simd.cpp"
#include <hwy/foreach_target.h>

#include "ops/noise/rank/cpu/rank_level-inl.hpp"
#include "ops/noise/rank/cpu/rank_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

constexpr LevelSteps kSteps = level_steps();

/// All columns of a block, at one row of results; channels are columns side by side. A copy of
/// addresses: compilers keep those in registers only if no object has them.
struct ColumnsAtRow {
  Count *upper, *lower;
  long long columns, first, end;         ///< those from `first` on, before `end`, count
  const unsigned char *enters, *leaves;  ///< rows of samples, or null

  HWY_INLINE bool counts(long long at) const { return first <= at && at < end; }
  HWY_INLINE Count* upper_of(long long at) const { return upper + 16 * at; }
  HWY_INLINE Count* lower_of(long long high, long long at) const {
    return lower + 16 * (high * columns + at);
  }
  /// Counts the row that enters the windows, and no longer the one that leaves them.
  HWY_INLINE void update() const {
    for (long long at = first; at < end; ++at) {
      Level level = Level::load(upper_of(at));
      if (enters) {
        const unsigned value = enters[at];
        level.add(kSteps.of[value >> 4]);
        Level low = Level::load(lower_of(value >> 4, at));
        low.add(kSteps.of[value & 15]);
        low.store(lower_of(value >> 4, at));
      }
      if (leaves) {
        const unsigned value = leaves[at];
        level.subtract(kSteps.of[value >> 4]);
        Level low = Level::load(lower_of(value >> 4, at));
        low.subtract(kSteps.of[value & 15]);
        low.store(lower_of(value >> 4, at));
      }
      level.store(upper_of(at));
    }
  }
};

/// The histograms of all columns of a block.
class ColumnHistograms {
 public:
  using Rows = RankRows<unsigned char, unsigned char>;

  explicit ColumnHistograms(const Rows& rows)
      : rows_(rows),
        columns_((static_cast<long long>(rows.b.columns) + rows.p.width - 1) * rows.channels),
        memory_(host_scratch(bytes())) {
    std::memset(memory_.data(), 0, bytes());
    for (int k = 0; k < rows.p.height - 1; ++k) with(counted_row(k), nullptr).update();
  }

  ColumnsAtRow at_row(int row) const {
    return with(counted_row(row + rows_.p.height - 1), row > 0 ? counted_row(row - 1) : nullptr);
  }
  /// Rows under the windows of a row of results that count.
  int rows_that_count(int row) const {
    int count = 0;
    for (int k = row; k < row + rows_.p.height; ++k) count += counted_row(k) != nullptr;
    return count;
  }

 private:
  std::size_t bytes() const { return static_cast<std::size_t>(columns_) * kRankHistogramBytes; }
  const unsigned char* counted_row(int k) const {
    return rows_.p.windows_are_full() || rows_.b.in_rows[k] ? rows_.row(k) : nullptr;
  }
  ColumnsAtRow with(const unsigned char* enters, const unsigned char* leaves) const {
    Count* const upper = memory_.as<Count>();
    long long first = 0, end = columns_;
    if (!rows_.p.windows_are_full()) {
      const long long image = rows_.p.anchor.x - rows_.b.first_column;  // its first column
      const auto sample = [&](long long column) {
        return std::clamp(column * rows_.channels, 0LL, columns_);
      };
      first = sample(image);
      end = sample(image + rows_.p.image.size.width);
    }
    return {upper, upper + 16 * columns_, columns_, first, end, enters, leaves};
  }

  const Rows& rows_;
  long long columns_;
  Scratch memory_;
};

/// The lower levels of a window, which follow it only when they are asked for.
struct LowerLevels {
  static constexpr long long kNever = -1;
  alignas(32) Count counts[16][16];
  long long seen[16];  ///< where the window was when a level was right

  void forget() { std::fill(std::begin(seen), std::end(seen), kNever); }
};

/// The histogram of a window that slides along a row.
class WindowHistogram {
 public:
  /// The window of columns from `at` on.
  HWY_INLINE WindowHistogram(const ColumnsAtRow& columns, LowerLevels& lower, long long at,
                             int width, int channels)
      : columns_(columns),
        lower_(&lower),
        reach_(static_cast<long long>(width) * channels),
        step_(channels),
        at_(at),
        upper_(Level::all(kNone)) {
    for (long long k = at; k < at + reach_; k += step_) upper_.add(columns_.upper_of(k));
    lower.forget();
  }
  HWY_INLINE void slide() {
    upper_.add(columns_.upper_of(at_ + reach_));
    upper_.subtract(columns_.upper_of(at_));
    at_ += step_;
  }
  HWY_INLINE unsigned char value_at(int place) {
    const std::size_t high = upper_.up_to(static_cast<Count>(place + kNone));
    Count counts[17] = {kNone};  // behind that of no pixels
    upper_.store(counts + 1);
    const int below = counts[high] - kNone;
    const std::size_t low = lower(high).up_to(static_cast<Count>(place - below + kNone));
    return static_cast<unsigned char>(16 * high + low);
  }

 private:
  HWY_INLINE Level lower(std::size_t high) {
    const long long seen = lower_->seen[high];
    lower_->seen[high] = at_;
    const auto digits = static_cast<long long>(high);
    Level level = Level::load(lower_->counts[high]);
    if (seen == LowerLevels::kNever || 2 * (at_ - seen) > reach_) {
      level = Level::all(kNone);
      for (long long k = at_; k < at_ + reach_; k += step_) level.add(columns_.lower_of(digits, k));
    } else {
      for (long long k = seen; k < at_; k += step_) {
        level.add(columns_.lower_of(digits, k + reach_));
        level.subtract(columns_.lower_of(digits, k));
      }
    }
    level.store(lower_->counts[high]);
    return level;
  }

  ColumnsAtRow columns_;
  LowerLevels* lower_;
  long long reach_, step_, at_;
  Level upper_;
};

void histogram_u8(const RankBlock& b) {
  const ColumnHistograms::Rows rows(b);
  const RankProblem& p = rows.p;
  const ColumnHistograms histograms(rows);
  LowerLevels lower;
  const bool full = p.windows_are_full();
  const int channels = rows.channels;
  const long long reach = static_cast<long long>(p.width - 1) * channels, samples = rows.samples;
  const int* const places = b.places->data();
  for (int k = 0; k < b.rows; ++k) {
    const ColumnsAtRow columns = histograms.at_row(k);
    unsigned char* const to = rows.result(k);
    const int high = full ? p.height : histograms.rows_that_count(k);
    columns.update();
    for (int c = 0; c < channels; ++c) {
      long long wide = full ? p.width : 0;
      if (!full)
        for (long long at = c; at <= c + reach; at += channels) wide += columns.counts(at);
      WindowHistogram window(columns, lower, c, p.width, channels);
      for (long long at = c;; at += channels) {
        const long long count = wide * high;
        to[at] = count > 0 ? window.value_at(places[count]) : 0;
        if (at + channels >= samples) break;
        if (!full) wide += columns.counts(at + reach + channels) - columns.counts(at);
        window.slide();
      }
    }
  }
  rows.finish();
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(histogram_u8);

RankBlockFunction rank_histogram_function(const RankProblem&) {
  return HWY_DYNAMIC_DISPATCH(histogram_u8);
}

}  // namespace tessera
#endif
