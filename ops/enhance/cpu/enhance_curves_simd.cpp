// SPDX-License-Identifier: Apache-2.0
// Applies curves to rows, once per SIMD target: by arithmetic for contrast's curve, otherwise by
// look-up.
#include <cstring>
#include <type_traits>

#include "ops/enhance/cpu/enhance_row_parts.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/enhance/cpu/enhance_curves_simd.cpp"
#include <hwy/foreach_target.h>

#include "ops/enhance/cpu/enhance_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

/// Contrast of bytes, by multiplication in 16-bit lanes of even and odd positions.
void stretch_row(const ContrastSteps& c, const std::uint8_t* in, long long samples,
                 const std::uint8_t* curve, std::uint8_t* out) {
  const hn::ScalableTag<std::uint8_t> d8;
  const hn::Repartition<std::uint16_t, decltype(d8)> d;
  const auto low = hn::Set(d8, c.low), range = hn::Set(d8, c.range);
  const auto factor = hn::Set(d, c.factor), bias = hn::Set(d, c.bias);
  const auto upper = hn::Set(d, 0xFF00);
  const int more = c.up - 8;
  const auto stretch = [=](auto y)
                           HWY_ATTR { return hn::Add(hn::Add(y, bias), hn::MulHigh(y, factor)); };
  const auto row = [=](auto scaled) HWY_ATTR {
    for_lanes(
        samples, lanes_of(d8),
        [=](long long x) HWY_ATTR {
          auto v = hn::BitCast(d, hn::Min(hn::SaturatedSub(hn::LoadU(d8, in + x), low), range));
          if (scaled) v = hn::ShiftLeftSame(v, more);  // bytes stay apart: range << more < 256
          const auto even = stretch(hn::ShiftLeft<8>(v)), odd = stretch(hn::And(v, upper));
          const auto made = hn::Or(hn::ShiftRight<8>(even), hn::And(odd, upper));
          hn::StoreU(hn::BitCast(d8, made), d8, out + x);
        },
        [=](long long x) { out[x] = curve[in[x]]; });
  };
  more == 0 ? row(std::false_type()) : row(std::true_type());
}

/// Contrast of words; the upper 16 of 32-bit sums are the fractional part.
struct WideStretch {
  using D = hn::ScalableTag<std::uint16_t>;
  using V = hn::VFromD<D>;
  using D32 = hn::Repartition<std::uint32_t, D>;
  using V32 = hn::VFromD<D32>;
  const WideContrastSteps& c;
  V low, range, whole;
  V32 bias_low, bias_high;

  HWY_INLINE explicit WideStretch(const WideContrastSteps& steps)
      : c(steps),
        low(hn::Set(D(), c.low)),
        range(hn::Set(D(), c.range[0])),
        whole(hn::Set(D(), c.whole)),
        bias_low(hn::Set(D32(), c.bias_low)),
        bias_high(hn::Set(D32(), c.bias_high)) {}

  HWY_INLINE V32 part(V32 x, V32 factor_low, V32 again, V32 factor_high) const {
    const V32 lower = hn::ShiftRight<16>(mul_add(x, factor_low, bias_low));
    return mul_add(again, factor_high, hn::Add(lower, bias_high));
  }
  HWY_INLINE V operator()(V v) const {
    const D d;
    const D32 d32;
    const V above = hn::SaturatedSub(v, low), x = hn::Min(above, range);
#if HWY_ARCH_ARM_A64
    // Compilers do not fuse a widening shared by two products with them (see NarrowGrey in
    // enhance_rows_simd.cpp): so there is a second x, which they cannot know to be the same.
    const hn::Half<D> half;
    const V again = hn::Min(above, hn::LoadU(d, c.range));
    const V lower = hn::LoadU(d, c.factor_low), upper = hn::LoadU(d, c.factor_high);
    const auto first = [=](V w) HWY_ATTR { return hn::PromoteTo(d32, hn::LowerHalf(half, w)); };
    const auto second = [=](V w) HWY_ATTR { return hn::PromoteTo(d32, hn::UpperHalf(half, w)); };
    const V32 parts0 = part(first(x), first(lower), first(again), first(upper));
    const V32 parts1 = part(second(x), second(lower), second(again), second(upper));
    const V parts = hn::ConcatOdd(d, hn::BitCast(d, parts1), hn::BitCast(d, parts0));
#else
    const V32 mask = hn::Set(d32, 0xFFFF), both = hn::BitCast(d32, x);
    const V32 lower = hn::Set(d32, c.factor_low[0]), upper = hn::Set(d32, c.factor_high[0]);
    const V32 x0 = hn::And(both, mask), x1 = hn::ShiftRight<16>(both);
    const V32 even = part(x0, lower, x0, upper), odd = part(x1, lower, x1, upper);
    const V parts = hn::BitCast(d, hn::Or(hn::ShiftRight<16>(even), hn::AndNot(mask, odd)));
#endif
    return mul_add(x, whole, parts);
  }
};

void stretch_row(const WideContrastSteps& c, const std::uint16_t* in, long long samples,
                 const std::uint16_t* curve, std::uint16_t* out) {
  const hn::ScalableTag<std::uint16_t> d;
  const WideStretch stretch(c);
  for_lanes(
      samples, lanes_of(d),
      [=](long long x) HWY_ATTR { hn::StoreU(stretch(hn::LoadU(d, in + x)), d, out + x); },
      [=](long long x) { out[x] = curve[in[x]]; });
}

#endif

/// One curve for all samples: eight bytes are looked up and stored at once.
template <class T>
void look_up_row(const T* curve, const T* in, long long samples, T* out) {
  long long x = 0;
  if constexpr (sizeof(T) == 1)
    for (; x + 8 <= samples; x += 8) {
      std::uint64_t v, made = 0;
      std::memcpy(&v, in + x, 8);
      for (int k = 0; k < 64; k += 8)
        made |= static_cast<std::uint64_t>(curve[(v >> k) & 255]) << k;
      std::memcpy(out + x, &made, 8);
    }
  for (; x < samples; ++x) out[x] = curve[in[x]];
}

template <class T>
void follow_row(const RowCurves<T>& curves, const T* in, long long pixels, T* out) {
  const int channels = curves.channels;
  if (curves.same) {
    const long long samples = pixels * channels;
#if HWY_TARGET != HWY_SCALAR
    if (curves.steps.exact) return stretch_row(curves.steps, in, samples, curves.curve[0], out);
#endif
    return look_up_row(curves.curve[0], in, samples, out);
  }
  for (int c = 0; c < channels; ++c) {
    const T* curve = curves.curve[static_cast<std::size_t>(c)];
    for (long long x = c; x < pixels * channels; x += channels)
      out[x] = curve ? curve[in[x]] : in[x];
  }
}

void curve_rows_8(EnhanceRows<std::uint8_t>& rows) { rows.follow = follow_row<std::uint8_t>; }
void curve_rows_16(EnhanceRows<std::uint16_t>& rows) { rows.follow = follow_row<std::uint16_t>; }

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(curve_rows_8);
HWY_EXPORT(curve_rows_16);

void add_curve_rows(EnhanceRows<std::uint8_t>& rows) { HWY_DYNAMIC_DISPATCH(curve_rows_8)(rows); }
void add_curve_rows(EnhanceRows<std::uint16_t>& rows) { HWY_DYNAMIC_DISPATCH(curve_rows_16)(rows); }

}  // namespace tessera
#endif
