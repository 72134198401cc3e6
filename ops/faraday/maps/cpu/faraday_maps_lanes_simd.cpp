// SPDX-License-Identifier: Apache-2.0
// Passes over the depths of a block of pixels. The arithmetic is the reference's, number for
// number, in double: products of floats are exact there, and nothing is fused.
#include "ops/faraday/maps/cpu/faraday_maps_lanes.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/faraday/maps/cpu/faraday_maps_lanes_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

HWY_INLINE V load(const double* from) { return hn::LoadU(D(), from); }
HWY_INLINE V load(const float* from) {
  return hn::PromoteTo(D(), hn::LoadU(hn::Rebind<float, D>(), from));
}

template <class T>
HWY_INLINE V power_at(const T* real, const T* imaginary) {
  const V re = load(real), im = load(imaginary);
  return hn::Add(hn::Mul(re, re), hn::Mul(im, im));
}

/// Where |F|^2 exceeds the best so far, it and its index `here` replace it.
template <class T>
HWY_INLINE V keep_better(const T* real, const T* imaginary, V here, double* power, double* index) {
  const D d;
  const V now = power_at(real, imaginary), best = hn::LoadU(d, power);
  const auto more = hn::Gt(now, best);  // never for NaN
  const V better = hn::IfThenElse(more, now, best);
  hn::StoreU(better, d, power);
  hn::StoreU(hn::IfThenElse(more, here, hn::LoadU(d, index)), d, index);
  return better;
}

void tops_f64(const FaradayBlock& b, double* HWY_RESTRICT power, double* HWY_RESTRICT index) {
  const int lanes = static_cast<int>(hn::Lanes(D()));
  for (int i = 0; i < b.count; ++i) power[i] = index[i] = -1;
  for (int p = 1; p + 1 < b.depths; ++p) {
    const double* real = static_cast<const double*>(b.real) + p * b.real_plane;
    const double* imaginary = static_cast<const double*>(b.imaginary) + p * b.imaginary_plane;
    for (int i = 0; i < b.count; i += lanes)
      keep_better(real + i, imaginary + i, hn::Set(D(), p), power + i, index + i);
  }
}

/// An upper bound for |F|^2 in float if it does not exceed `best` in double: float is accurate to
/// 1e-6 between 1e-30 and its largest number, and outside that range it decides nothing.
HWY_INLINE hn::Vec<hn::Rebind<float, D>> certain_below(V best) {
  const D d;
  const V below = hn::Min(hn::Mul(best, hn::Set(d, 1 - 1e-6)), hn::Set(d, 3.4e38));
  return hn::DemoteTo(hn::Rebind<float, D>(),
                      hn::IfThenElse(hn::Gt(best, hn::Set(d, 1e-30)), below, hn::Set(d, -1)));
}

// Most depths are below the best so far, which float can decide; only the others are computed in
// double.
void tops_f32(const FaradayBlock& b, double* HWY_RESTRICT power, double* HWY_RESTRICT index) {
  const hn::ScalableTag<float> f;
  const int lanes = static_cast<int>(hn::Lanes(f)), half = static_cast<int>(hn::Lanes(D()));
  HWY_ALIGN float below[kFaradayBlock];
  for (int i = 0; i < b.count; ++i) power[i] = index[i] = below[i] = -1;
  for (int p = 1; p + 1 < b.depths; ++p) {
    const float* real = static_cast<const float*>(b.real) + p * b.real_plane;
    const float* imaginary = static_cast<const float*>(b.imaginary) + p * b.imaginary_plane;
    for (int i = 0; i < b.count; i += lanes) {
      const auto re = hn::LoadU(f, real + i), im = hn::LoadU(f, imaginary + i);
      const auto rough = hn::MulAdd(re, re, hn::Mul(im, im));
      if (HWY_LIKELY(hn::AllFalse(f, hn::Gt(rough, hn::Load(f, below + i))))) continue;
      for (int j = i; j < i + lanes; j += half)
        hn::StoreU(certain_below(
                       keep_better(real + j, imaginary + j, hn::Set(D(), p), power + j, index + j)),
                   hn::Rebind<float, D>(), below + j);
    }
  }
}

template <class T>
void find_moments(const FaradayBlock& b, double* HWY_RESTRICT heights,
                  double* HWY_RESTRICT moment) {
  const D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  HWY_ALIGN double sum[kFaradayBlock] = {}, mean[kFaradayBlock] = {};
  for (int p = 0; p < b.depths; ++p) {
    const T* real = static_cast<const T*>(b.real) + p * b.real_plane;
    const T* imaginary = static_cast<const T*>(b.imaginary) + p * b.imaginary_plane;
    const V phi = hn::Set(d, b.phi[p]);
    double* row = heights + static_cast<long long>(p) * kFaradayBlock;
    for (int i = 0; i < b.count; i += lanes) {
      const V height = hn::Sqrt(power_at(real + i, imaginary + i));
      hn::StoreU(height, d, row + i);
      hn::StoreU(hn::Add(hn::LoadU(d, sum + i), height), d, sum + i);
      hn::StoreU(hn::Add(hn::LoadU(d, mean + i), hn::Mul(phi, height)), d, mean + i);
    }
  }
  for (int i = 0; i < b.count; i += lanes) {
    hn::StoreU(hn::Div(hn::LoadU(d, mean + i), hn::LoadU(d, sum + i)), d, mean + i);
    hn::StoreU(hn::Zero(d), d, moment + i);
  }
  for (int p = 0; p < b.depths; ++p) {
    const V phi = hn::Set(d, b.phi[p]);
    const double* row = heights + static_cast<long long>(p) * kFaradayBlock;
    for (int i = 0; i < b.count; i += lanes) {
      const V away = hn::Sub(phi, hn::LoadU(d, mean + i));
      const V part = hn::Mul(hn::Mul(away, away), hn::LoadU(d, row + i));
      hn::StoreU(hn::Add(hn::LoadU(d, moment + i), part), d, moment + i);
    }
  }
  for (int i = 0; i < b.count; i += lanes)
    hn::StoreU(hn::Sqrt(hn::Div(hn::LoadU(d, moment + i), hn::LoadU(d, sum + i))), d, moment + i);
}

void moments_f32(const FaradayBlock& b, double* heights, double* moment) {
  find_moments<float>(b, heights, moment);
}
void moments_f64(const FaradayBlock& b, double* heights, double* moment) {
  find_moments<double>(b, heights, moment);
}
int lanes_of_floats() { return static_cast<int>(hn::Lanes(hn::ScalableTag<float>())); }

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(tops_f32);
HWY_EXPORT(tops_f64);
HWY_EXPORT(moments_f32);
HWY_EXPORT(moments_f64);
HWY_EXPORT(lanes_of_floats);
FaradayLanes faraday_lanes(Type type) {
  const int lanes = HWY_DYNAMIC_DISPATCH(lanes_of_floats)();
  if (type == Type::f64)
    return {lanes, HWY_DYNAMIC_DISPATCH(tops_f64), HWY_DYNAMIC_DISPATCH(moments_f64)};
  return {lanes, HWY_DYNAMIC_DISPATCH(tops_f32), HWY_DYNAMIC_DISPATCH(moments_f32)};
}

}  // namespace tessera
#endif
