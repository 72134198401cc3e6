// SPDX-License-Identifier: Apache-2.0
// Interpolation between the curves of four tiles, once a SIMD target. A pixel's four products lie
// side by side; four pixels are then turned so that their sums are added in the order of
// clahe_level, which is what they must equal bit by bit.
#include "ops/enhance/enhance_clahe_simd.hpp"

#include "ops/enhance/enhance_clahe_math.cuh"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/enhance/enhance_clahe_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR
using F4 = hn::FixedTag<float, 4>;
using V = hn::Vec<F4>;

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
// One vector holds the four doubles of a pixel.
using D = hn::FixedTag<double, 4>;
struct DownWeights {
  hn::Vec<D> both;
};
HWY_INLINE DownWeights down_weights(double above, double below) {
  return {hn::ConcatLowerLower(D(), hn::Set(D(), below), hn::Set(D(), above))};
}
HWY_INLINE V products(const float* curves, const double* across, const DownWeights& down) {
  const auto weights = hn::Mul(hn::LoadDup128(D(), across), down.both);
  return hn::DemoteTo(F4(), hn::Mul(hn::PromoteTo(D(), hn::Load(F4(), curves)), weights));
}
#else
using D = hn::FixedTag<double, 2>;
struct DownWeights {
  hn::Vec<D> above, below;
};
HWY_INLINE DownWeights down_weights(double above, double below) {
  return {hn::Set(D(), above), hn::Set(D(), below)};
}
HWY_INLINE V products(const float* curves, const double* across, const DownWeights& down) {
  const hn::Half<F4> half;
  const V levels = hn::Load(F4(), curves);
  const auto weights = hn::LoadU(D(), across);
  const auto over =
      hn::Mul(hn::PromoteTo(D(), hn::LowerHalf(levels)), hn::Mul(weights, down.above));
  const auto under =
      hn::Mul(hn::PromoteTo(D(), hn::UpperHalf(half, levels)), hn::Mul(weights, down.below));
  return hn::Combine(F4(), hn::DemoteTo(half, under), hn::DemoteTo(half, over));
}
#endif

/// Fours of pixels; returns how many were made.
HWY_INLINE int run_of_fours(const ClaheRun& run) {
  const F4 f;
  const hn::FixedTag<std::int32_t, 4> i;
  const hn::FixedTag<std::uint16_t, 4> u;
  const DownWeights down = down_weights(run.above, run.below);
  int x = 0;
  for (; x + 4 <= run.count; x += 4) {
    const auto pixel = [&](int k) HWY_ATTR {
      return products(run.curves + 4 * run.slots[x + k], run.across + 2 * (x + k), down);
    };
    const V a = pixel(0), b = pixel(1), c = pixel(2), d = pixel(3);
    const V ac_low = hn::InterleaveLower(f, a, c), ac_high = hn::InterleaveUpper(f, a, c);
    const V bd_low = hn::InterleaveLower(f, b, d), bd_high = hn::InterleaveUpper(f, b, d);
    V sum = hn::Add(hn::InterleaveLower(f, ac_low, bd_low), hn::InterleaveUpper(f, ac_low, bd_low));
    sum = hn::Add(sum, hn::InterleaveLower(f, ac_high, bd_high));
    sum = hn::Add(sum, hn::InterleaveUpper(f, ac_high, bd_high));
    hn::StoreU(hn::DemoteTo(u, hn::ConvertTo(i, sum)), u, run.levels + x);
  }
  return x;
}
#else
HWY_INLINE int run_of_fours(const ClaheRun&) { return 0; }
#endif

void clahe_run(const ClaheRun& run) {
  for (int x = run_of_fours(run); x < run.count; ++x) {
    const float* c = run.curves + 4 * run.slots[x];
    run.levels[x] = static_cast<std::uint16_t>(clahe_level(
        c[0], c[1], c[2], c[3], run.across[2 * x], run.across[2 * x + 1], run.above, run.below));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(clahe_run);
ClaheRunFunction clahe_run_function() { return HWY_DYNAMIC_DISPATCH(clahe_run); }

}  // namespace tessera
#endif
