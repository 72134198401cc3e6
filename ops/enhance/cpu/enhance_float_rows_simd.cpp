// SPDX-License-Identifier: Apache-2.0
// Grey and contrast of floats, once per SIMD target. All in double, rounded once at the end.
#include <cmath>
#include <limits>

#include "ops/enhance/cpu/enhance_float_rows.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/enhance/cpu/enhance_float_rows_simd.cpp"
#include <hwy/foreach_target.h>

#include "ops/enhance/cpu/enhance_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

using Doubles = hn::ScalableTag<double>;
/// As many samples as doubles.
template <class T>
using FloatTag = hn::Rebind<T, Doubles>;

template <class V>
HWY_INLINE hn::VFromD<Doubles> as_doubles(V v) {
  if constexpr (sizeof(hn::TFromV<V>) == 4)
    return hn::PromoteTo(Doubles(), v);
  else
    return v;
}
/// Highway's scalar target would make the largest float of infinity.
template <class T>
HWY_INLINE hn::VFromD<FloatTag<T>> as_samples(hn::VFromD<Doubles> v) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(FloatTag<T>(), static_cast<T>(hn::GetLane(v)));
#endif
  if constexpr (sizeof(T) == 4)
    return hn::DemoteTo(FloatTag<T>(), v);
  else
    return v;
}

/// A sum that is not a number has the same bits on every machine.
template <class T>
HWY_INLINE T grey_sum(const std::array<double, 3>& w, const T* p) {
  const double sum = (w[0] * p[0] + w[1] * p[1]) + w[2] * p[2];
  return std::isnan(sum) ? std::numeric_limits<T>::quiet_NaN() : static_cast<T>(sum);
}

template <class T>
HWY_INLINE hn::VFromD<FloatTag<T>> grey_lanes_of(const std::array<double, 3>& w,
                                                 hn::VFromD<FloatTag<T>> r,
                                                 hn::VFromD<FloatTag<T>> g,
                                                 hn::VFromD<FloatTag<T>> b) {
  const Doubles d;
  const auto red = hn::Mul(hn::Set(d, w[0]), as_doubles(r));
  const auto green = hn::Mul(hn::Set(d, w[1]), as_doubles(g));
  const auto sum = hn::Add(hn::Add(red, green), hn::Mul(hn::Set(d, w[2]), as_doubles(b)));
  const auto made = as_samples<T>(sum);
  return hn::IfThenElse(hn::IsNaN(made),
                        hn::Set(FloatTag<T>(), std::numeric_limits<T>::quiet_NaN()), made);
}

template <class T>
void float_grey_row(const std::array<int, 3>& weights, int channels, const T* in, long long pixels,
                    T* out) {
  const FloatTag<T> d;
  using V = hn::VFromD<decltype(d)>;
  std::array<double, 3> w;
  for (std::size_t c = 0; c < 3; ++c) w[c] = weights[c] / 65536.0;
  if (channels == 3)
    return for_lanes(
        pixels, lanes_of(d),
        [=, &w](long long x) HWY_ATTR {
          V r, g, b;
          hn::LoadInterleaved3(d, in + 3 * x, r, g, b);
          hn::StoreU(grey_lanes_of<T>(w, r, g, b), d, out + x);
        },
        [=, &w](long long x) { out[x] = grey_sum(w, in + 3 * x); });
  for_lanes(
      pixels, lanes_of(d),
      [=, &w](long long x) HWY_ATTR {
        V r, g, b, alpha;
        hn::LoadInterleaved4(d, in + 4 * x, r, g, b, alpha);
        hn::StoreInterleaved2(grey_lanes_of<T>(w, r, g, b), alpha, d, out + 2 * x);
      },
      [=, &w](long long x) {
        out[2 * x] = grey_sum(w, in + 4 * x);
        out[2 * x + 1] = in[4 * x + 3];
      });
}

template <class T>
HWY_INLINE T stretched_value(const FloatStretch& s, T v) {
  if (std::isnan(v)) return v;
  const double q = (static_cast<double>(v) * s.scale - s.low) / s.range;
  return static_cast<T>(q > 0 ? q < 1 ? q : 1 : 0);
}

template <class T>
void float_stretch_row(const FloatStretch& s, const T* in, long long samples, T* out) {
  const Doubles d;
  const FloatTag<T> dt;
  const auto scale = hn::Set(d, s.scale), low = hn::Set(d, s.low), range = hn::Set(d, s.range);
  const auto zero = hn::Zero(d), one = hn::Set(d, 1.0);
  for_lanes(
      samples, lanes_of(dt),
      [=](long long x) HWY_ATTR {
        const auto v = hn::LoadU(dt, in + x);
        const auto q = hn::Div(hn::Sub(hn::Mul(as_doubles(v), scale), low), range);
        // Not Max: the sign of its zero differs between machines.
        const auto clamped = hn::IfThenElseZero(hn::Gt(q, zero), hn::Min(q, one));
        hn::StoreU(hn::IfThenElse(hn::IsNaN(v), v, as_samples<T>(clamped)), dt, out + x);
      },
      [=](long long x) { out[x] = stretched_value(s, in[x]); });
}

void float_rows_32(FloatRows<float>& rows) {
  rows = {float_grey_row<float>, float_stretch_row<float>};
}
void float_rows_64(FloatRows<double>& rows) {
  rows = {float_grey_row<double>, float_stretch_row<double>};
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(float_rows_32);
HWY_EXPORT(float_rows_64);

template <>
FloatRows<float> float_rows() {
  FloatRows<float> rows{};
  HWY_DYNAMIC_DISPATCH(float_rows_32)(rows);
  return rows;
}
template <>
FloatRows<double> float_rows() {
  FloatRows<double> rows{};
  HWY_DYNAMIC_DISPATCH(float_rows_64)(rows);
  return rows;
}

}  // namespace tessera
#endif
