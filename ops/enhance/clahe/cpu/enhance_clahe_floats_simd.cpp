// SPDX-License-Identifier: Apache-2.0
// The range of floats and their bins, once per SIMD target.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "ops/enhance/clahe/cpu/enhance_clahe_floats_simd.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/enhance/clahe/cpu/enhance_clahe_floats_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
void extremes_of(const T* in, long long count, ClaheFloatExtremes<T>& found) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<long long>(hn::Lanes(d));
  const auto most = hn::Set(d, std::numeric_limits<T>::max());
  const auto infinite = hn::Set(d, std::numeric_limits<T>::infinity());
  auto low = infinite, high = hn::Neg(infinite);
  long long k = 0;
  for (; k + lanes <= count; k += lanes) {
    const auto v = hn::LoadU(d, in + k);
    const auto finite = hn::Le(hn::Abs(v), most);
    low = hn::Min(low, hn::IfThenElse(finite, v, infinite));
    high = hn::Max(high, hn::IfThenElse(finite, v, hn::Neg(infinite)));
  }
  found.low = std::min(found.low, hn::GetLane(hn::MinOfLanes(d, low)));
  found.high = std::max(found.high, hn::GetLane(hn::MaxOfLanes(d, high)));
  for (; k < count; ++k) found.add(in[k]);
}

template <class T>
HWY_INLINE unsigned char bin_of(const ClaheScale& s, T v) {
  const T inside =
      v > static_cast<T>(s.low) ? std::min(v, static_cast<T>(s.high)) : static_cast<T>(s.low);
  const double x = s.rounded ? static_cast<double>(std::rint(inside * T{65535}))
                             : static_cast<double>(inside) * s.scale;
  const double level = std::rint((x - s.first) / s.range * kClaheMost);
  return static_cast<unsigned char>(static_cast<int>(level) / kClaheBinLevels);
}

template <class D, class V>
HWY_INLINE hn::VFromD<D> doubles_of(D d, V v) {
  if constexpr (sizeof(hn::TFromV<V>) == 4)
    return hn::PromoteTo(d, v);
  else
    return v;
}

template <bool kRounded, class T>
HWY_INLINE int bins_of_lanes(const ClaheScale& s, const T* in, int count, unsigned char* bins) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<T, decltype(d)> dt;
  const hn::Rebind<std::int32_t, decltype(d)> di;
  const hn::Rebind<std::uint8_t, decltype(d)> db;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto low = hn::Set(dt, static_cast<T>(s.low)), high = hn::Set(dt, static_cast<T>(s.high));
  const auto scale = hn::Set(d, s.scale), first = hn::Set(d, s.first), range = hn::Set(d, s.range);
  const auto steps = hn::Set(dt, T{65535});
  const auto most = hn::Set(d, static_cast<double>(kClaheMost));
  // Half a level more, so that no product lies at a whole number.
  const auto half = hn::Set(d, 0.5), part = hn::Set(d, 1.0 / kClaheBinLevels);
  int k = 0;
  for (; k + lanes <= count; k += lanes) {
    auto v = hn::LoadU(dt, in + k);
    v = hn::IfThenElse(hn::Gt(v, low), hn::Min(v, high), low);  // NaN is not above it
    if constexpr (kRounded) v = hn::Round(hn::Mul(v, steps));
    auto x = doubles_of(d, v);
    if constexpr (!kRounded) x = hn::Mul(x, scale);
    const auto level = hn::Round(hn::Mul(hn::Div(hn::Sub(x, first), range), most));
    const auto bin = hn::DemoteTo(di, hn::Mul(hn::Add(level, half), part));
    hn::StoreU(hn::DemoteTo(db, bin), db, bins + k);
  }
  return k;
}

template <class T>
void float_bins(const ClaheScale& s, const T* in, int count, unsigned char* bins) {
  int k = s.rounded ? bins_of_lanes<true>(s, in, count, bins)
                    : bins_of_lanes<false>(s, in, count, bins);
  for (; k < count; ++k) bins[k] = bin_of(s, in[k]);
}

void extremes_32(const float* in, long long count, ClaheFloatExtremes<float>& found) {
  extremes_of(in, count, found);
}
void extremes_64(const double* in, long long count, ClaheFloatExtremes<double>& found) {
  extremes_of(in, count, found);
}
void bins_32(const ClaheScale& s, const float* in, int count, unsigned char* bins) {
  float_bins(s, in, count, bins);
}
void bins_64(const ClaheScale& s, const double* in, int count, unsigned char* bins) {
  float_bins(s, in, count, bins);
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(extremes_32);
HWY_EXPORT(extremes_64);
HWY_EXPORT(bins_32);
HWY_EXPORT(bins_64);

void clahe_float_extremes(const float* in, long long count, ClaheFloatExtremes<float>& found) {
  HWY_DYNAMIC_DISPATCH(extremes_32)(in, count, found);
}
void clahe_float_extremes(const double* in, long long count, ClaheFloatExtremes<double>& found) {
  HWY_DYNAMIC_DISPATCH(extremes_64)(in, count, found);
}
void clahe_float_bins(const ClaheScale& scale, const float* in, int count, unsigned char* bins) {
  HWY_DYNAMIC_DISPATCH(bins_32)(scale, in, count, bins);
}
void clahe_float_bins(const ClaheScale& scale, const double* in, int count, unsigned char* bins) {
  HWY_DYNAMIC_DISPATCH(bins_64)(scale, in, count, bins);
}

}  // namespace tessera
#endif
