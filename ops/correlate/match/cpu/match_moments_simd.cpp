// SPDX-License-Identifier: Apache-2.0
// Merging moments, once per SIMD target. Lanes are windows.
#include "ops/correlate/match/cpu/match_moments.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/correlate/match/cpu/match_moments_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void merge_moments(const CountedMoments& a, const CountedMoments& b, Moments to, long long n) {
  const double count = a.count + b.count;
  const double share = b.count / count, factor = a.count * share;
  const auto merge = [&](auto d, long long x) HWY_ATTR {
    const auto mean = hn::LoadU(d, a.moments.mean + x);
    const auto apart = hn::Sub(hn::LoadU(d, b.moments.mean + x), mean);
    const auto squares =
        hn::Add(hn::LoadU(d, a.moments.squares + x), hn::LoadU(d, b.moments.squares + x));
    hn::StoreU(hn::MulAdd(apart, hn::Set(d, share), mean), d, to.mean + x);
    hn::StoreU(hn::MulAdd(hn::Mul(apart, apart), hn::Set(d, factor), squares), d, to.squares + x);
  };
  const hn::ScalableTag<double> d;
  const auto lanes = static_cast<long long>(hn::Lanes(d));
  long long x = 0;
  for (; x + lanes <= n; x += lanes) merge(d, x);
  for (; x < n; ++x) merge(hn::CappedTag<double, 1>(), x);
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(merge_moments);

MergeMoments merge_moments_function() { return HWY_DYNAMIC_DISPATCH(merge_moments); }

}  // namespace tessera
#endif
