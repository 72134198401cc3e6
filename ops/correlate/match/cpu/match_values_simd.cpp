// SPDX-License-Identifier: Apache-2.0
// Passes over a group's values, once per SIMD target. Lanes are pixels.
#include <limits>

#include "ops/correlate/match/cpu/match_group.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/correlate/match/cpu/match_values_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Calls visit(d, i) for n values, a vector or at the end one value at a time.
template <class Visit>
HWY_INLINE void for_vectors(long long n, const Visit& visit) {
  const hn::ScalableTag<double> d;
  const auto lanes = static_cast<long long>(hn::Lanes(d));
  long long i = 0;
  for (; i + lanes <= n; i += lanes) visit(d, i);
  for (; i < n; ++i) visit(hn::CappedTag<double, 1>(), i);
}

void match_range(const double* from, long long n, MatchRange& range) {
  double least = range.least, most = range.most;
  bool missing = range.missing;
  const hn::ScalableTag<double> all;
  const auto lanes = static_cast<long long>(hn::Lanes(all));
  auto low = hn::Set(all, least), high = hn::Set(all, most);
  auto nans = hn::Zero(all);
  long long i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto value = hn::LoadU(all, from + i);
    const auto nan = hn::IsNaN(value);
    nans = hn::Or(nans, hn::VecFromMask(all, nan));
    low = hn::Min(low, hn::IfThenElse(nan, low, value));
    high = hn::Max(high, hn::IfThenElse(nan, high, value));
  }
  least = hn::GetLane(hn::MinOfLanes(all, low));
  most = hn::GetLane(hn::MaxOfLanes(all, high));
  missing = missing || !hn::AllFalse(all, hn::MaskFromVec(nans));
  for (; i < n; ++i) {
    if (from[i] < least) least = from[i];
    if (from[i] > most) most = from[i];
    missing = missing || from[i] != from[i];
  }
  range = {least, most, missing};
}

void match_centre(const double* from, long long n, double middle, double* to) {
  for_vectors(n, [&](auto d, long long i) HWY_ATTR {
    const auto value = hn::LoadU(d, from + i);
    const auto centred = hn::Sub(value, hn::Set(d, middle));
    hn::StoreU(hn::IfThenZeroElse(hn::IsNaN(value), centred), d, to + i);
  });
}

bool match_normalise(const MatchNorm& by, const double* squares, long long n, double* products) {
  bool whole = true;
  for_vectors(n, [&](auto d, long long i) HWY_ATTR {
    const auto spread = hn::LoadU(d, squares + i);
    const auto norm = hn::Mul(hn::Sqrt(spread), hn::Set(d, by.weights));
    const auto trusted = hn::Ge(norm, hn::Set(d, by.least));
    const auto one = hn::Set(d, 1.0);
    const auto quotient = hn::Div(hn::LoadU(d, products + i), hn::IfThenElse(trusted, norm, one));
    const auto within = hn::Max(hn::Neg(one), hn::Min(one, quotient));
    const auto flat = hn::Eq(spread, hn::Zero(d));
    const auto other = hn::IfThenZeroElse(flat, hn::NaN(d));
    hn::StoreU(hn::IfThenElse(trusted, within, other), d, products + i);
    whole = whole && hn::AllTrue(d, hn::Or(trusted, flat));
  });
  return whole;
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(match_range);
HWY_EXPORT(match_centre);
HWY_EXPORT(match_normalise);

MatchPasses match_passes() {
  return {HWY_DYNAMIC_DISPATCH(match_range), HWY_DYNAMIC_DISPATCH(match_centre),
          HWY_DYNAMIC_DISPATCH(match_normalise)};
}

}  // namespace tessera
#endif
