// SPDX-License-Identifier: Apache-2.0
// The maximum of colours, and colours that follow it, once per SIMD target.
//
// Quotients of integers are truncated quotients of floats (u8) or doubles (u16): the dividend has
// no more than 16 (32) bits, so a quotient that is not whole is further below the next whole number
// than half a unit in the last place, and is not rounded up to it.
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "ops/enhance/cpu/enhance_value_rows.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/enhance/cpu/enhance_value_simd.cpp"
#include <hwy/foreach_target.h>

#include "ops/enhance/cpu/enhance_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

template <class T>
inline constexpr bool kValueIsFloat = std::is_floating_point_v<T>;

template <class T>
HWY_INLINE T largest(T r, T g, T b) {
  if constexpr (kValueIsFloat<T>) {
    if (std::isnan(r)) return r;
    if (std::isnan(g)) return g;
    if (std::isnan(b)) return b;
  }
  const T m = r > g ? r : g;
  return m > b ? m : b;
}

template <class D, class V>
HWY_INLINE V largest_lanes(D, V r, V g, V b) {
  V m = hn::IfThenElse(hn::Gt(r, g), r, g);
  m = hn::IfThenElse(hn::Gt(m, b), m, b);
  if constexpr (kValueIsFloat<hn::TFromD<D>>) {
    m = hn::IfThenElse(hn::IsNaN(b), b, m);
    m = hn::IfThenElse(hn::IsNaN(g), g, m);
    m = hn::IfThenElse(hn::IsNaN(r), r, m);
  }
  return m;
}

template <class T>
void value_row(const T* in, int channels, long long pixels, T* out) {
  const hn::ScalableTag<T> d;
  using V = hn::VFromD<decltype(d)>;
  for_lanes(
      pixels, lanes_of(d),
      [=](long long x) HWY_ATTR {
        V r, g, b, alpha;
        if (channels == 3)
          hn::LoadInterleaved3(d, in + 3 * x, r, g, b);
        else
          hn::LoadInterleaved4(d, in + 4 * x, r, g, b, alpha);
        hn::StoreU(largest_lanes(d, r, g, b), d, out + x);
      },
      [=](long long x) {
        const T* p = in + x * channels;
        out[x] = largest(p[0], p[1], p[2]);
      });
}

/// Lanes in which quotients are computed, and samples of as many lanes.
template <class T>
using QuotientTag = hn::ScalableTag<std::conditional_t<sizeof(T) == 1, float, double>>;
template <class T>
using SampleTag = hn::Rebind<T, QuotientTag<T>>;

template <class T>
using Quotients = hn::VFromD<QuotientTag<T>>;
template <class T>
using Samples = hn::VFromD<SampleTag<T>>;

template <class T>
HWY_INLINE Quotients<T> widen(Samples<T> v) {
  const QuotientTag<T> d;
  const hn::Rebind<std::int32_t, QuotientTag<T>> di;
  if constexpr (sizeof(T) == 1)
    return hn::ConvertTo(d, hn::PromoteTo(di, v));
  else if constexpr (sizeof(T) == 2)
    return hn::PromoteTo(d, hn::PromoteTo(di, v));
  else if constexpr (sizeof(T) == 4)
    return hn::PromoteTo(d, v);
  else
    return v;
}

template <class T>
HWY_INLINE Samples<T> narrow(Quotients<T> v) {
  const SampleTag<T> dt;
#if HWY_TARGET == HWY_SCALAR  // Highway's would make the largest float of infinity
  return hn::Set(dt, static_cast<T>(hn::GetLane(v)));
#endif
  const hn::Rebind<std::int32_t, QuotientTag<T>> di;
  if constexpr (sizeof(T) == 1)
    return hn::DemoteTo(dt, hn::ConvertTo(di, v));
  else if constexpr (sizeof(T) == 2)
    return hn::DemoteTo(dt, hn::DemoteTo(di, v));
  else if constexpr (sizeof(T) == 4)
    return hn::DemoteTo(dt, v);
  else
    return v;
}

template <class T>
HWY_INLINE T follow_one(T c, T value, T made) {
  if constexpr (kValueIsFloat<T>) {
    if (c == value || !(value > 0)) return made;
    const double q =
        static_cast<double>(c) * static_cast<double>(made) / static_cast<double>(value);
    return std::isnan(q) ? T{0} : static_cast<T>(q);
  } else {
    if (value == 0) return made;
    return static_cast<T>((std::uint32_t{c} * made + value / 2U) / value);
  }
}

template <class T>
HWY_INLINE Samples<T> follow_lanes(Samples<T> c, Samples<T> value, Samples<T> made) {
  const SampleTag<T> dt;
  const QuotientTag<T> d;
  const auto wide = widen<T>(value);
  const auto product = hn::Mul(widen<T>(c), widen<T>(made));
  if constexpr (kValueIsFloat<T>) {
    auto q = hn::Div(product, wide);
    q = hn::IfThenZeroElse(hn::IsNaN(q), q);
    const auto keep = hn::Or(hn::Eq(c, value), hn::Not(hn::Gt(value, hn::Zero(dt))));
    return hn::IfThenElse(keep, made, narrow<T>(q));
  } else {
    const auto half = widen<T>(hn::ShiftRight<1>(value));
    // 1 instead of 0: the quotient is not used there
    const auto q = hn::Div(hn::Add(product, half), hn::Max(wide, hn::Set(d, 1)));
    return hn::IfThenElse(hn::Eq(value, hn::Zero(dt)), made, narrow<T>(q));
  }
}

template <class T>
void follow_row(const T* in, int channels, const T* value, const T* made, long long pixels,
                T* out) {
  const SampleTag<T> d;
  using V = Samples<T>;
  for_lanes(
      pixels, lanes_of(d),
      [=](long long x) HWY_ATTR {
        const V v = hn::LoadU(d, value + x), m = hn::LoadU(d, made + x);
        V r, g, b, alpha;
        if (channels == 3) {
          hn::LoadInterleaved3(d, in + 3 * x, r, g, b);
          hn::StoreInterleaved3(follow_lanes<T>(r, v, m), follow_lanes<T>(g, v, m),
                                follow_lanes<T>(b, v, m), d, out + 3 * x);
        } else {
          hn::LoadInterleaved4(d, in + 4 * x, r, g, b, alpha);
          hn::StoreInterleaved4(follow_lanes<T>(r, v, m), follow_lanes<T>(g, v, m),
                                follow_lanes<T>(b, v, m), alpha, d, out + 4 * x);
        }
      },
      [=](long long x) {
        for (int c = 0; c < 3; ++c)
          out[x * channels + c] = follow_one(in[x * channels + c], value[x], made[x]);
        if (channels == 4) out[4 * x + 3] = in[4 * x + 3];
      });
}

template <class T>
void add_value_rows(ValueRows<T>& rows) {
  rows = {value_row<T>, follow_row<T>};
}
void value_rows_u8(ValueRows<std::uint8_t>& rows) { add_value_rows(rows); }
void value_rows_u16(ValueRows<std::uint16_t>& rows) { add_value_rows(rows); }
void value_rows_f32(ValueRows<float>& rows) { add_value_rows(rows); }
void value_rows_f64(ValueRows<double>& rows) { add_value_rows(rows); }

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(value_rows_u8);
HWY_EXPORT(value_rows_u16);
HWY_EXPORT(value_rows_f32);
HWY_EXPORT(value_rows_f64);

template <>
ValueRows<std::uint8_t> value_rows() {
  ValueRows<std::uint8_t> rows{};
  HWY_DYNAMIC_DISPATCH(value_rows_u8)(rows);
  return rows;
}
template <>
ValueRows<std::uint16_t> value_rows() {
  ValueRows<std::uint16_t> rows{};
  HWY_DYNAMIC_DISPATCH(value_rows_u16)(rows);
  return rows;
}
template <>
ValueRows<float> value_rows() {
  ValueRows<float> rows{};
  HWY_DYNAMIC_DISPATCH(value_rows_f32)(rows);
  return rows;
}
template <>
ValueRows<double> value_rows() {
  ValueRows<double> rows{};
  HWY_DYNAMIC_DISPATCH(value_rows_f64)(rows);
  return rows;
}

}  // namespace tessera
#endif
