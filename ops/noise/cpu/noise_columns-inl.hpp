// SPDX-License-Identifier: Apache-2.0
// Counts that the columns of a region keep for their rows under the box. Per SIMD target.
#include <hwy/cache_control.h>

#include <algorithm>
#include <cstring>

#include "ops/noise/cpu/noise_slider.hpp"

#if defined(TESSERA_NOISE_COLUMNS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_NOISE_COLUMNS_INL_HPP
#undef TESSERA_NOISE_COLUMNS_INL_HPP
#else
#define TESSERA_NOISE_COLUMNS_INL_HPP
#endif

#include "ops/noise/cpu/noise_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

/// Where the counts of a region's columns are stored. Count must hold the rows of a box. Loops take
/// a copy: for all the compiler knows, a store of bytes might change a member.
template <class Count>
struct ColumnCounts {
  static constexpr int kLanes = kLanesOf<Count>;

  std::size_t columns, stride;
  Count *counts, *below_segments;
  const Count *code_steps, *segment_steps;  ///< zeros before them, ones from there on

  /// For a column: how many values of a segment have each code or a lower one.
  HWY_INLINE Count* up_to(std::size_t column, std::size_t segment) const {
    return counts + (segment * columns + column) * kSegmentCodes;
  }
  /// For a column: how many values lie below each segment; padded to whole vectors.
  HWY_INLINE Count* below(std::size_t column) const { return below_segments + column * stride; }

  /// While columns are filled; sum_up() then completes them.
  HWY_INLINE void fill(std::size_t column, std::uint32_t code) const {
    const Count* step = code_steps - code % kSegmentCodes;
    Count* at = up_to(column, code / kSegmentCodes);
    for (int i = 0; i < kSegmentCodes; i += kLanes)
      store(add(load<Count>(at + i), load<Count>(step + i)), at + i);
    ++below(column)[code / kSegmentCodes + 1];
  }
  void sum_up() const {
    for (std::size_t column = 0; column < columns; ++column)
      for (std::size_t s = 1; s < stride; ++s)
        below(column)[s] = static_cast<Count>(below(column)[s] + below(column)[s - 1]);
  }

  /// One value leaves a column and another enters.
  HWY_INLINE void exchange(std::size_t column, std::uint32_t leaving,
                           std::uint32_t entering) const {
    const std::uint32_t from = leaving / kSegmentCodes, to = entering / kSegmentCodes;
    Count *less = up_to(column, from), *more = up_to(column, to);
    const Count *less_step = code_steps - leaving % kSegmentCodes,
                *more_step = code_steps - entering % kSegmentCodes;
    for (int i = 0; i < kSegmentCodes; i += kLanes)
      store(subtract(load<Count>(less + i), load<Count>(less_step + i)), less + i);
    for (int i = 0; i < kSegmentCodes; i += kLanes)
      store(add(load<Count>(more + i), load<Count>(more_step + i)), more + i);
    move_below(below(column), from, to);
  }

  HWY_INLINE void prefetch(std::size_t column, std::uint32_t code) const {
    hwy::Prefetch(up_to(column, code / kSegmentCodes));
  }

 private:
  /// Segments after the one that a value leaves have one value fewer below them, those after the
  /// one it enters one more: only the segments between the two change.
  HWY_INLINE void move_below(Count* to_change, std::uint32_t from, std::uint32_t to) const {
    const Count *more = segment_steps - 1 - to, *less = segment_steps - 1 - from;
    const auto change = [&](std::size_t s) HWY_ATTR {
      store(subtract(add(load<Count>(to_change + s), load<Count>(more + s)), load<Count>(less + s)),
            to_change + s);
    };
    if (stride <= 4 * kLanes) {  // no branch on their number
      for (std::size_t s = 0; s < stride; s += kLanes) change(s);
      return;
    }
    const std::size_t last = HWY_MAX(from, to);
    for (std::size_t s = (HWY_MIN(from, to) + 1) / kLanes * kLanes; s <= last; s += kLanes)
      change(s);
  }
};

/// The memory for such counts.
template <class Count>
class ColumnMemory {
 public:
  ColumnMemory(int most_columns, int most_segments)
      : counts_(host_scratch(counts_bytes(most_columns, most_segments))),
        below_(host_scratch(sizeof(Count) * most_columns * stride_of(most_segments))),
        steps_(host_scratch(sizeof(Count) * 2 * stride_of(most_segments))) {
    std::fill_n(code_steps_, kSegmentCodes, Count{0});
    std::fill_n(code_steps_ + kSegmentCodes, kSegmentCodes, Count{1});
  }

  /// Empty columns. One segment more than `segments` is for the blanks.
  ColumnCounts<Count> clear(int columns, int segments) {
    const std::size_t stride = stride_of(segments);
    auto* steps = steps_.as<Count>();
    std::fill_n(steps, stride, Count{0});
    std::fill_n(steps + stride, stride, Count{1});
    std::memset(counts_.data(), 0, counts_bytes(columns, segments));
    std::memset(below_.data(), 0, sizeof(Count) * columns * stride);
    return {
        static_cast<std::size_t>(columns), stride,        counts_.as<Count>(), below_.as<Count>(),
        code_steps_ + kSegmentCodes,       steps + stride};
  }

 private:
  static std::size_t stride_of(int segments) {
    return (static_cast<std::size_t>(segments) + 2 + 15) / 16 * 16;
  }
  static std::size_t counts_bytes(int columns, int segments) {
    return sizeof(Count) * kSegmentCodes * columns * (static_cast<std::size_t>(segments) + 1);
  }

  Scratch counts_, below_, steps_;
  Count code_steps_[2 * kSegmentCodes];
};

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif  // per target
