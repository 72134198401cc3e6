// SPDX-License-Identifier: Apache-2.0
// Copies Q and U with 0 for values that are not finite, once per SIMD target.
#include "ops/faraday/synth/cpu/faraday_pack.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/faraday/synth/cpu/faraday_pack_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// 0 x is 0 if x is finite, and NaN otherwise: one test serves both. The results of the tests are
/// added to `seen`, where a NaN stays.
template <class D, class T>
HWY_INLINE void copy_lanes(D d, const T* q, const T* u, T* q_to, T* u_to, hn::VFromD<D>& seen) {
  const auto zero = hn::Zero(d), vq = hn::LoadU(d, q), vu = hn::LoadU(d, u);
  const auto test = hn::MulAdd(vq, zero, hn::Mul(vu, zero));
  const auto finite = hn::Eq(test, zero);
  hn::StoreU(hn::IfThenElseZero(finite, vq), d, q_to);
  hn::StoreU(hn::IfThenElseZero(finite, vu), d, u_to);
  seen = hn::Add(seen, test);
}

template <class T>
HWY_INLINE bool copy_finite(const T* q, const T* u, long long count, T* q_to, T* u_to) {
  const hn::ScalableTag<T> d;
  const hn::CappedTag<T, 1> one;
  const auto lanes = static_cast<long long>(hn::Lanes(d));
  auto seen = hn::Zero(d);
  auto seen_alone = hn::Zero(one);
  long long x = 0;
  for (; x + lanes <= count; x += lanes) copy_lanes(d, q + x, u + x, q_to + x, u_to + x, seen);
  for (; x < count; ++x) copy_lanes(one, q + x, u + x, q_to + x, u_to + x, seen_alone);
  return hn::AllTrue(d, hn::Eq(seen, hn::Zero(d))) && hn::GetLane(seen_alone) == 0;
}

bool copy_finite_f32(const float* q, const float* u, long long count, float* q_to, float* u_to) {
  return copy_finite(q, u, count, q_to, u_to);
}
bool copy_finite_f64(const double* q, const double* u, long long count, double* q_to,
                     double* u_to) {
  return copy_finite(q, u, count, q_to, u_to);
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {
HWY_EXPORT(copy_finite_f32);
HWY_EXPORT(copy_finite_f64);

template <>
FaradayCopyFunction<float> faraday_copy_function<float>() {
  return HWY_DYNAMIC_DISPATCH(copy_finite_f32);
}
template <>
FaradayCopyFunction<double> faraday_copy_function<double>() {
  return HWY_DYNAMIC_DISPATCH(copy_finite_f64);
}
}  // namespace tessera
#endif
