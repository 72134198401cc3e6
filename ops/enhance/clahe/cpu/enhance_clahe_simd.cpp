// SPDX-License-Identifier: Apache-2.0
// Interpolation between the curves of four tiles, once per SIMD target.
//
// A level is the integer part of a sum that is defined to the last bit (clahe_level). Blending the
// curves for a whole row first, and then two values per pixel, is faster but rounds differently.
// That result is used if it is far enough from an integer for both to have the same integer part;
// the few other pixels are computed as defined.
#include "ops/enhance/clahe/cpu/enhance_clahe_simd.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/enhance/clahe/cpu/enhance_clahe_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

HWY_INLINE std::uint16_t one_level(const ClaheRun& run, int x) {
  const float *above = run.curves + 2 * run.slots[x], *below = above + 2 * kClaheBins;
  return static_cast<std::uint16_t>(clahe_level(above[0], above[1], below[0], below[1],
                                                run.across[2 * x], run.across[2 * x + 1], run.above,
                                                run.below));
}

#if HWY_TARGET == HWY_SCALAR
void clahe_levels(const ClaheRun& run) {
  for (int x = 0; x < run.count; ++x) run.levels[x] = one_level(run, x);
}
ClaheBounds clahe_bounds(const ClaheRun&) { return {0, kClaheMost}; }
#else

using F4 = hn::FixedTag<float, 4>;
using F2 = hn::Half<F4>;
using D2 = hn::FixedTag<double, 2>;
using V = hn::Vec<F4>;

/// The four products of a pixel.
HWY_INLINE V products(const ClaheRun& run, int x) {
  const float *above = run.curves + 2 * run.slots[x], *below = above + 2 * kClaheBins;
  const auto across = hn::LoadU(D2(), run.across + 2 * x);
  const auto upper = hn::Mul(hn::PromoteTo(D2(), hn::Load(F2(), above)),
                             hn::Mul(across, hn::Set(D2(), run.above)));
  const auto lower = hn::Mul(hn::PromoteTo(D2(), hn::Load(F2(), below)),
                             hn::Mul(across, hn::Set(D2(), run.below)));
  return hn::Combine(F4(), hn::DemoteTo(F2(), lower), hn::DemoteTo(F2(), upper));
}

/// Products of four pixels, transposed so that they are added in the order of clahe_level.
HWY_INLINE V four_sums(const ClaheRun& run, int x) {
  const F4 f;
  const V a = products(run, x), b = products(run, x + 1), c = products(run, x + 2),
          d = products(run, x + 3);
  const V ac_low = hn::InterleaveLower(f, a, c), ac_high = hn::InterleaveUpper(f, a, c);
  const V bd_low = hn::InterleaveLower(f, b, d), bd_high = hn::InterleaveUpper(f, b, d);
  V sum = hn::Add(hn::InterleaveLower(f, ac_low, bd_low), hn::InterleaveUpper(f, ac_low, bd_low));
  sum = hn::Add(sum, hn::InterleaveLower(f, ac_high, bd_high));
  return hn::Add(sum, hn::InterleaveUpper(f, ac_high, bd_high));
}

/// For every slot, the levels to the left and right, interpolated between the tiles above and
/// below.
struct RowCurves {
  HWY_ALIGN float pairs[2 * kClaheBins];

  explicit HWY_INLINE RowCurves(const ClaheRun& run) {
    const hn::ScalableTag<float> f;
    const auto above = hn::Set(f, static_cast<float>(run.above));
    const auto below = hn::Set(f, static_cast<float>(run.below));
    for (int k = 0; k < 2 * kClaheBins; k += static_cast<int>(hn::Lanes(f)))
      hn::Store(hn::Add(hn::Mul(hn::Load(f, run.curves + k), above),
                        hn::Mul(hn::Load(f, run.curves + 2 * kClaheBins + k), below)),
                f, pairs + k);
  }

  HWY_INLINE V four(const ClaheRun& run, int x) const {
    const F4 f;
    const auto pair = [&](int k) HWY_ATTR { return hn::Load(F2(), pairs + 2 * run.slots[x + k]); };
    const V ab = hn::Combine(f, pair(1), pair(0)), cd = hn::Combine(f, pair(3), pair(2));
    const V left = hn::ConcatEven(f, cd, ab), right = hn::ConcatOdd(f, cd, ab);
    return hn::Add(left, hn::Mul(hn::Sub(right, left), hn::LoadU(f, run.right + x)));
  }
};

HWY_INLINE void store_levels(V sum, std::uint16_t* levels) {
  const hn::FixedTag<std::int32_t, 4> i;
  const hn::FixedTag<std::uint16_t, 4> u;
  hn::StoreU(hn::DemoteTo(u, hn::ConvertTo(i, sum)), u, levels);
}

HWY_INLINE int exact_levels(const ClaheRun run) {
  int x = 0;
  for (; x + 4 <= run.count; x += 4) store_levels(four_sums(run, x), run.levels + x);
  return x;
}

HWY_INLINE int quick_levels(const ClaheRun run) {
  const RowCurves curves(run);
  const V doubt = hn::Set(F4(), kClaheDoubt);
  int x = 0;
  for (; x + 4 <= run.count; x += 4) {
    V sum = curves.four(run, x);
    const auto near = hn::Lt(hn::Abs(hn::Sub(sum, hn::Round(sum))), doubt);
    if (HWY_UNLIKELY(!hn::AllFalse(F4(), near))) sum = four_sums(run, x);
    store_levels(sum, run.levels + x);
  }
  return x;
}

void clahe_levels(const ClaheRun& run) {
  int x = run.count < kClaheShortRun ? exact_levels(run) : quick_levels(run);
  for (; x < run.count; ++x) run.levels[x] = one_level(run, x);
}

ClaheBounds clahe_bounds(const ClaheRun& run) {
  if (run.count < kClaheShortRun) return {0, kClaheMost};
  const RowCurves curves(run);
  const F4 f;
  V low = curves.four(run, run.count - 4), high = low;
  for (int x = 0; x + 4 <= run.count; x += 4) {
    const V levels = curves.four(run, x);
    low = hn::Min(low, levels);
    high = hn::Max(high, levels);
  }
  return {hn::GetLane(hn::MinOfLanes(f, low)), hn::GetLane(hn::MaxOfLanes(f, high))};
}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(clahe_levels);
HWY_EXPORT(clahe_bounds);
ClaheFunctions clahe_functions() {
  return {HWY_DYNAMIC_DISPATCH(clahe_levels), HWY_DYNAMIC_DISPATCH(clahe_bounds)};
}

}  // namespace tessera
#endif
