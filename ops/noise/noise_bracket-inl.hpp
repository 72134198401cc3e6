// SPDX-License-Identifier: Apache-2.0
// The sums of a box's columns over a bracket of segments about a quantile. Per SIMD target.
#include "ops/noise/noise_slider.hpp"

#if defined(TESSERA_NOISE_BRACKET_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_NOISE_BRACKET_INL_HPP
#undef TESSERA_NOISE_BRACKET_INL_HPP
#else
#define TESSERA_NOISE_BRACKET_INL_HPP
#endif

#include "ops/noise/noise_columns-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

/// Where a box's value lies: `past` values of its code come before it, of `in` there.
struct Located {
  int code, past, in;
};

/// Sum must hold the values of a box that lie in a bracket, Count the rows of a box.
template <class Count, class Sum>
class Bracket {
 public:
  static constexpr int kLanes = kLanesOf<Sum>;
  static constexpr int kSegmentVectors = kSegmentCodes / kLanes;
  static constexpr int kVectors = kBracketSegments * kSegmentVectors;
  using V = Lanes<Sum>;
  using Columns = ColumnCounts<Count>;

  /// The box's first column and how many.
  HWY_INLINE Bracket(const Columns& columns, int segment, int first, int count) {
    sum(columns, segment, first, count);
  }
  HWY_INLINE void sum(const Columns& columns, int segment, int first, int count) {
    segment_ = segment;
    below_ = 0;
    for (int v = 0; v < kVectors; ++v) sums_[v] = all(Sum{0});
    for (int column = first; column < first + count; ++column) {
      below_ += columns.below(column)[segment];
      for (int s = 0; s < kBracketSegments; ++s)
        for (int v = 0; v < kSegmentVectors; ++v)
          sums_[s * kSegmentVectors + v] =
              add(sums_[s * kSegmentVectors + v],
                  load<Sum>(columns.up_to(column, segment + s) + v * kLanes));
    }
  }

  HWY_INLINE void exchange(const Columns& columns, int leaving, int entering) {
    below_ += columns.below(entering)[segment_] - columns.below(leaving)[segment_];
    for (int s = 0; s < kBracketSegments; ++s) {
      const Count *more = columns.up_to(entering, segment_ + s),
                  *less = columns.up_to(leaving, segment_ + s);
      for (int v = 0; v < kSegmentVectors; ++v) {
        V& sum = sums_[s * kSegmentVectors + v];
        sum = add(sum, subtract(load<Sum>(more + v * kLanes), load<Sum>(less + v * kLanes)));
      }
    }
  }

  /// False where the value at `index` of the box lies outside the bracket.
  HWY_INLINE bool locate(int index, Located& found) const {
    const int target = index - below_;
    if (target < 0 || target > hwy::LimitsMax<Sum>()) return false;
    // What is left of the target after each code: below 0 from the code on that has it.
    V left = all(static_cast<Sum>(target));
    V later = all(Sum{0});
    V past = left, over = all(Sum{0});
    for (int s = 0; s < kBracketSegments; ++s) {
      for (int v = 0; v < kSegmentVectors; ++v) {
        const V after = subtract(left, sums_[s * kSegmentVectors + v]);
        later = add(later, signs(after));
        past = least_unsigned(past, after);
        over = most_unsigned(over, after);
      }
      left = subtract(left, last_lane(sums_[(s + 1) * kSegmentVectors - 1]));
    }
    const int codes_later = -sum_of(later);
    if (codes_later == 0) return false;
    found.code = (segment_ + kBracketSegments) * kSegmentCodes - codes_later;
    found.past = least_unsigned_of(past);
    found.in = found.past - most_unsigned_of(over);
    return true;
  }

  int segment() const { return segment_; }

 private:
  V sums_[kVectors];
  int segment_ = 0, below_ = 0;
};

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif  // per target
