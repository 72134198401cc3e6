// SPDX-License-Identifier: Apache-2.0
// What the columns of a region keep of their rows under the box. Per SIMD target.
#include <algorithm>
#include <cstring>

#include "ops/noise/noise_slider.hpp"

#if defined(TESSERA_NOISE_COLUMNS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_NOISE_COLUMNS_INL_HPP
#undef TESSERA_NOISE_COLUMNS_INL_HPP
#else
#define TESSERA_NOISE_COLUMNS_INL_HPP
#endif

#include "ops/noise/noise_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

/// Count must hold the rows of a box.
template <class Count>
class ColumnCounts {
 public:
  static constexpr int kLanes = kLanesOf<Count>;

  ColumnCounts(int most_columns, int most_segments)
      : counts_memory_(host_scratch(sizeof(Count) * kSegmentCodes * most_columns *
                                    (static_cast<std::size_t>(most_segments) + 1))),
        below_memory_(host_scratch(sizeof(Count) * most_columns * stride_of(most_segments))),
        steps_memory_(host_scratch(sizeof(Count) * 2 * stride_of(most_segments))) {
    for (int i = 0; i < 2 * kSegmentCodes; ++i) code_steps_[i] = i >= kSegmentCodes;
  }

  /// Empty columns. One segment more than `segments` takes the blanks.
  void clear(int columns, int segments) {
    columns_ = columns;
    stride_ = stride_of(segments);
    counts_ = counts_memory_.as<Count>();
    below_ = below_memory_.as<Count>();
    std::memset(counts_, 0,
                sizeof(Count) * kSegmentCodes * columns * (static_cast<std::size_t>(segments) + 1));
    std::memset(below_, 0, sizeof(Count) * columns * stride_);
    segment_steps_ = steps_memory_.as<Count>() + stride_;
    for (int i = 0; i < static_cast<int>(stride_); ++i) {
      segment_steps_[i - static_cast<int>(stride_)] = 0;
      segment_steps_[i] = 1;
    }
  }

  /// While columns are filled; sum_up() then makes them whole.
  void fill(int column, int code) {
    const int segment = code / kSegmentCodes;
    raise(column, code);
    ++below_[column * stride_ + segment + 1];
  }
  void sum_up() {
    for (int column = 0; column < columns_; ++column) {
      Count* below = below_ + column * stride_;
      for (std::size_t s = 1; s < stride_; ++s)
        below[s] = static_cast<Count>(below[s] + below[s - 1]);
    }
  }

  /// One value leaves a column and another enters.
  HWY_INLINE void exchange(int column, int leaving, int entering) {
    raise(column, entering);
    lower(column, leaving);
    const int from = leaving / kSegmentCodes, to = entering / kSegmentCodes;
    const Count *more = segment_steps_ - 1 - to, *less = segment_steps_ - 1 - from;
    Count* below = below_ + column * stride_;
    const int last = HWY_MAX(from, to);
    for (int s = (HWY_MIN(from, to) + 1) / kLanes * kLanes; s <= last; s += kLanes)
      store(subtract(add(load<Count>(below + s), load<Count>(more + s)), load<Count>(less + s)),
            below + s);
  }

  /// Of a column: how many of a segment have each code or a lower one.
  HWY_INLINE const Count* up_to(int column, int segment) const {
    return counts_ + (static_cast<std::size_t>(segment) * columns_ + column) * kSegmentCodes;
  }
  /// Of a column: how many lie below each segment; padded to whole vectors.
  HWY_INLINE const Count* below(int column) const { return below_ + column * stride_; }
  int stride() const { return static_cast<int>(stride_); }

 private:
  static std::size_t stride_of(int segments) {
    return (static_cast<std::size_t>(segments) + 2 + 15) / 16 * 16;
  }
  HWY_INLINE void raise(int column, int code) {
    Count* at = const_cast<Count*>(up_to(column, code / kSegmentCodes));
    const Count* step = code_steps_ + kSegmentCodes - code % kSegmentCodes;
    for (int i = 0; i < kSegmentCodes; i += kLanes)
      store(add(load<Count>(at + i), load<Count>(step + i)), at + i);
  }
  HWY_INLINE void lower(int column, int code) {
    Count* at = const_cast<Count*>(up_to(column, code / kSegmentCodes));
    const Count* step = code_steps_ + kSegmentCodes - code % kSegmentCodes;
    for (int i = 0; i < kSegmentCodes; i += kLanes)
      store(subtract(load<Count>(at + i), load<Count>(step + i)), at + i);
  }

  Scratch counts_memory_, below_memory_, steps_memory_;
  int columns_ = 0;
  std::size_t stride_ = 0;
  Count *counts_ = nullptr, *below_ = nullptr, *segment_steps_ = nullptr;
  Count code_steps_[2 * kSegmentCodes];
};

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif  // per target
