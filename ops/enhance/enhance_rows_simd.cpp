// SPDX-License-Identifier: Apache-2.0
// Grey, counts and curves of a row, once a SIMD target.
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "ops/enhance/enhance_smooth_rows.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/enhance/enhance_rows_simd.cpp"
#include <hwy/foreach_target.h>

#include "ops/enhance/enhance_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

template <class T>
HWY_INLINE T grey_of(const std::array<int, 3>& w, const T* p) {
  const auto sum = static_cast<std::uint32_t>(w[0]) * p[0] +
                   static_cast<std::uint32_t>(w[1]) * p[1] +
                   static_cast<std::uint32_t>(w[2]) * p[2];  // < 2^32 - 2^15
  return static_cast<T>((sum + 32768) >> 16);
}

#if HWY_TARGET != HWY_SCALAR  // whose one lane cannot be taken for two

/// Weights that are bytes times 256, so that 65408 is the most that can come together.
struct ByteGrey {
  using D = hn::ScalableTag<std::uint16_t>;
  using V = hn::VFromD<D>;
  using D8 = hn::Repartition<std::uint8_t, D>;
  using V8 = hn::VFromD<D8>;

  static bool fits(const std::array<int, 3>& w) {
    return w[0] % 256 == 0 && w[1] % 256 == 0 && w[2] % 256 == 0 &&
           std::max({w[0], w[1], w[2]}) < 65536;
  }

#if HWY_ARCH_ARM_A64
  // The weights stay in memory: ARM multiplies bytes to 16 bits in half the time of 16-bit lanes,
  // and compilers see that only where a widening of both factors stands beside the product.
  HWY_ALIGN std::uint8_t weights[3][16];

  HWY_INLINE explicit ByteGrey(const std::array<int, 3>& w) {
    for (int c = 0; c < 3; ++c)
      std::fill_n(weights[c], 16, static_cast<std::uint8_t>(w[static_cast<std::size_t>(c)] >> 8));
  }
  HWY_INLINE V8 operator()(V8 r, V8 g, V8 b) const {
    const D8 d8;
    const V8 wr = hn::Load(d8, weights[0]), wg = hn::Load(d8, weights[1]),
             wb = hn::Load(d8, weights[2]);
    const auto low = [](V8 v)
                         HWY_ATTR { return hn::PromoteTo(D(), hn::LowerHalf(hn::Half<D8>(), v)); };
    const auto high = [](V8 v)
                          HWY_ATTR { return hn::PromoteTo(D(), hn::UpperHalf(hn::Half<D8>(), v)); };
    const V half = hn::Set(D(), 128);
    const V first =
        mul_add(low(b), low(wb), mul_add(low(g), low(wg), mul_add(low(r), low(wr), half)));
    const V second =
        mul_add(high(b), high(wb), mul_add(high(g), high(wg), mul_add(high(r), high(wr), half)));
    return hn::ConcatOdd(d8, hn::BitCast(d8, second), hn::BitCast(d8, first));
  }
#else
  V red, green, blue;

  HWY_INLINE explicit ByteGrey(const std::array<int, 3>& w)
      : red(hn::Set(D(), static_cast<std::uint16_t>(w[0] >> 8))),
        green(hn::Set(D(), static_cast<std::uint16_t>(w[1] >> 8))),
        blue(hn::Set(D(), static_cast<std::uint16_t>(w[2] >> 8))) {}
  HWY_INLINE V sum(V r, V g, V b) const {
    return mul_add(b, blue, mul_add(g, green, mul_add(r, red, hn::Set(D(), 128))));
  }
  /// Bytes of even and odd places are 16-bit lanes without moving.
  HWY_INLINE V8 operator()(V8 r8, V8 g8, V8 b8) const {
    const D d;
    const V r = hn::BitCast(d, r8), g = hn::BitCast(d, g8), b = hn::BitCast(d, b8);
    const V low = hn::Set(d, 255);
    const V even = sum(hn::And(r, low), hn::And(g, low), hn::And(b, low));
    const V odd = sum(hn::ShiftRight<8>(r), hn::ShiftRight<8>(g), hn::ShiftRight<8>(b));
    return hn::BitCast(D8(), hn::Or(hn::ShiftRight<8>(even), hn::AndNot(low, odd)));
  }
#endif
};

#endif

/// Any weights, in 32-bit lanes.
template <class T>
struct WideGrey {
  using D = hn::ScalableTag<std::uint32_t>;
  using V = hn::VFromD<D>;
  V red, green, blue;

  HWY_INLINE explicit WideGrey(const std::array<int, 3>& w)
      : red(hn::Set(D(), static_cast<std::uint32_t>(w[0]))),
        green(hn::Set(D(), static_cast<std::uint32_t>(w[1]))),
        blue(hn::Set(D(), static_cast<std::uint32_t>(w[2]))) {}

  template <class VT>
  HWY_INLINE VT operator()(VT r, VT g, VT b) const {
    const D d;
    const auto wide = [d](VT v) HWY_ATTR { return hn::PromoteTo(d, v); };
    const V sum =
        mul_add(wide(b), blue, mul_add(wide(g), green, mul_add(wide(r), red, hn::Set(d, 32768))));
    const hn::RebindToSigned<D> di;
    return hn::DemoteTo(hn::Rebind<T, D>(), hn::BitCast(di, hn::ShiftRight<16>(sum)));
  }
};

template <class T, class D, class Grey>
HWY_INLINE void grey_lanes(D d, const Grey& grey, const std::array<int, 3>& w, int channels,
                           const T* in, long long pixels, T* out) {
  if (channels == 3)
    return for_lanes(
        pixels, lanes_of(d),
        [=, &grey](long long x) HWY_ATTR {
          hn::VFromD<D> r, g, b;
          hn::LoadInterleaved3(d, in + 3 * x, r, g, b);
          hn::StoreU(grey(r, g, b), d, out + x);
        },
        [=, &w](long long x) { out[x] = grey_of(w, in + 3 * x); });
  for_lanes(
      pixels, lanes_of(d),
      [=, &grey](long long x) HWY_ATTR {
        hn::VFromD<D> r, g, b, alpha;
        hn::LoadInterleaved4(d, in + 4 * x, r, g, b, alpha);
        hn::StoreInterleaved2(grey(r, g, b), alpha, d, out + 2 * x);
      },
      [=, &w](long long x) {
        out[2 * x] = grey_of(w, in + 4 * x);
        out[2 * x + 1] = in[4 * x + 3];
      });
}

template <class T>
void grey_row(const std::array<int, 3>& w, int channels, const T* in, long long pixels, T* out) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (sizeof(T) == 1)
    if (ByteGrey::fits(w))
      return grey_lanes(hn::ScalableTag<T>(), ByteGrey(w), w, channels, in, pixels, out);
#endif
  grey_lanes(hn::Rebind<T, hn::ScalableTag<std::uint32_t>>(), WideGrey<T>(w), w, channels, in,
             pixels, out);
}

HWY_INLINE void count_eight(const std::uint8_t* in, std::uint32_t* tables) {
  std::uint64_t v;
  std::memcpy(&v, in, 8);
  ++tables[v & 255];
  ++tables[256 + ((v >> 8) & 255)];
  ++tables[512 + ((v >> 16) & 255)];
  ++tables[768 + ((v >> 24) & 255)];
  ++tables[1024 + ((v >> 32) & 255)];
  ++tables[1280 + ((v >> 40) & 255)];
  ++tables[1536 + ((v >> 48) & 255)];
  ++tables[1792 + (v >> 56)];
}

template <class T>
void count_row(const T* in, long long samples, std::uint32_t* tables) {
  long long x = 0;
  if constexpr (sizeof(T) == 1)
    for (; x + 8 <= samples; x += 8) count_eight(in + x, tables);
  for (; x < samples; ++x) ++tables[in[x]];
}

template <class T>
void grey_and_count_row(const std::array<int, 3>& w, const T* in, long long pixels, T* out,
                        std::uint32_t* tables) {
  grey_row(w, 3, in, pixels, out);
  count_row(out, pixels, tables);
}

#if HWY_TARGET != HWY_SCALAR

/// Contrast of bytes, by multiplication in 16-bit lanes of even and odd places.
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
    if constexpr (sizeof(T) == 1)
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

#define TESSERA_ENHANCE_ROWS(bits)                                                             \
  EnhanceRows<std::uint##bits##_t> rows_##bits() {                                             \
    using T = std::uint##bits##_t;                                                             \
    return {grey_row<T>, grey_and_count_row<T>, count_row<T>, follow_row<T>, nullptr, {}, {}}; \
  }
TESSERA_ENHANCE_ROWS(8)
TESSERA_ENHANCE_ROWS(16)
#undef TESSERA_ENHANCE_ROWS

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(rows_8);
HWY_EXPORT(rows_16);

template <>
EnhanceRows<std::uint8_t> enhance_rows() {
  EnhanceRows<std::uint8_t> rows = HWY_DYNAMIC_DISPATCH(rows_8)();
  add_smooth_rows(rows);
  return rows;
}
template <>
EnhanceRows<std::uint16_t> enhance_rows() {
  EnhanceRows<std::uint16_t> rows = HWY_DYNAMIC_DISPATCH(rows_16)();
  add_smooth_rows(rows);
  return rows;
}

}  // namespace tessera
#endif
