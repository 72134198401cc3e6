// SPDX-License-Identifier: Apache-2.0
// The sums of a box's columns over a bracket of segments around a quantile. Per SIMD target.
#include "ops/noise/cpu/noise_slider.hpp"

#if defined(TESSERA_NOISE_BRACKET_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_NOISE_BRACKET_INL_HPP
#undef TESSERA_NOISE_BRACKET_INL_HPP
#else
#define TESSERA_NOISE_BRACKET_INL_HPP
#endif

#include "ops/noise/cpu/noise_columns-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

/// Sum must hold the number of values of a box in a bracket, Count the rows of a box. kCounted: the
/// number of values of the code is wanted too.
template <class Count, class Sum, bool kCounted>
class Bracket {
 public:
  static constexpr int kLanes = kLanesOf<Sum>;
  static constexpr int kSegmentVectors = kSegmentCodes / kLanes;
  static constexpr int kVectors = kBracketSegments * kSegmentVectors;
  using V = Lanes<Sum>;
  using Columns = ColumnCounts<Count>;

  /// The first column of the box and the number of columns.
  HWY_INLINE Bracket(const Columns& columns, int segment, int first, int count) {
    sum(columns, segment, first, count);
  }
  HWY_INLINE void sum(const Columns& columns, int segment, int first, int count) {
    segment_ = segment;
    below_ = 0;
    for (int column = first; column < first + count; ++column)
      below_ += columns.below(column)[segment];
    for (int s = 0; s < kBracketSegments; ++s) sum_segment(columns, s, first, count);
  }

  /// Moves one segment up or down, for the same box.
  HWY_INLINE void shift(const Columns& columns, bool up, int first, int count) {
    constexpr int kKept = kVectors - kSegmentVectors;
    if (up) {
      below_ += in_segment(0);
      for (int v = 0; v < kKept; ++v) sums_[v] = sums_[v + kSegmentVectors];
    } else {
      for (int v = kKept - 1; v >= 0; --v) sums_[v + kSegmentVectors] = sums_[v];
    }
    segment_ += up ? 1 : -1;
    sum_segment(columns, up ? kBracketSegments - 1 : 0, first, count);
    if (!up) below_ -= in_segment(0);
  }
  bool holds(int index) const {
    int end = below_;
    for (int s = 0; s < kBracketSegments; ++s) end += in_segment(s);
    return below_ <= index && index < end;
  }

  /// Boxes from the one at x on, as long as the bracket contains the wanted value. Returns the
  /// first box for which it does not, with its sums, or `outputs`.
  HWY_INLINE int follow(const Columns& columns, int x, int outputs, int box_width,
                        const NoiseWanted* wanted, NoiseLocated* found) {
    // Local variables: for all the compiler knows, a member pointer might point to a member.
    Bracket here = *this;
    const Count *less = columns.up_to(x, segment_), *more = columns.up_to(x + box_width, segment_),
                *below_less = columns.below(x) + segment_,
                *below_more = columns.below(x + box_width) + segment_;
    const std::ptrdiff_t next_segment =
                             static_cast<std::ptrdiff_t>(columns.columns) * kSegmentCodes,
                         next_column = static_cast<std::ptrdiff_t>(columns.stride);
    for (;; less += kSegmentCodes, more += kSegmentCodes, below_less += next_column,
            below_more += next_column) {
      if (HWY_UNLIKELY(wanted[x].index >= 0 && !here.locate(wanted[x].index, found[x]))) break;
      if (++x == outputs) break;
      here.below_ += *below_more - *below_less;
      here.exchange(less, more, next_segment);
    }
    *this = here;
    return x;
  }

  /// False if the value at `index` of the box lies outside the bracket.
  HWY_INLINE bool locate(int index, NoiseLocated& found) const {
    const int target = index - below_;
    if (static_cast<unsigned>(target) > static_cast<unsigned>(hwy::LimitsMax<Sum>())) return false;
    // The remaining target after each code: negative from the wanted code on.
    V left = all(static_cast<Sum>(target));
    V later = all(Sum{0}), past = left, over = later;
    for (int s = 0; s < kBracketSegments; ++s) {
      for (int v = 0; v < kSegmentVectors; ++v) {
        const V after = subtract(left, sums_[s * kSegmentVectors + v]);
        later = add(later, signs(after));
        past = least_unsigned(past, after);
        if (kCounted) over = most_unsigned(over, after);
      }
      left = subtract(left, last_lane(sums_[(s + 1) * kSegmentVectors - 1]));
    }
    const int codes_later = -sum_of(later);
    if (HWY_UNLIKELY(codes_later == 0)) return false;
    found.code = (segment_ + kBracketSegments) * kSegmentCodes - codes_later;
    found.past = least_unsigned_of(past);
    if (kCounted) found.in = found.past - most_unsigned_of(over);
    return true;
  }

  int segment() const { return segment_; }
  int below() const { return below_; }

 private:
  HWY_INLINE void exchange(const Count* less, const Count* more, std::ptrdiff_t next_segment) {
    for (int s = 0; s < kBracketSegments; ++s, less += next_segment, more += next_segment)
      for (int v = 0; v < kSegmentVectors; ++v) {
        V& sum = sums_[s * kSegmentVectors + v];
        sum = add(sum, subtract(load<Sum>(more + v * kLanes), load<Sum>(less + v * kLanes)));
      }
  }

  HWY_INLINE void sum_segment(const Columns& columns, int s, int first, int count) {
    V sums[kSegmentVectors];
    for (V& sum : sums) sum = all(Sum{0});
    const Count* up_to = columns.up_to(first, segment_ + s);
    for (int column = 0; column < count; ++column, up_to += kSegmentCodes)
      for (int v = 0; v < kSegmentVectors; ++v)
        sums[v] = add(sums[v], load<Sum>(up_to + v * kLanes));
    for (int v = 0; v < kSegmentVectors; ++v) sums_[s * kSegmentVectors + v] = sums[v];
  }
  int in_segment(int s) const { return value_of_last(sums_[(s + 1) * kSegmentVectors - 1]); }

  V sums_[kVectors];
  int segment_ = 0, below_ = 0;
};

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif  // per target
