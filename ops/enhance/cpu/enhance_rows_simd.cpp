// SPDX-License-Identifier: Apache-2.0
// Grey and counts of a row, once per SIMD target.
#include <algorithm>
#include <cstring>

#include "ops/enhance/cpu/enhance_row_parts.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/enhance/cpu/enhance_rows_simd.cpp"
#include <hwy/foreach_target.h>

#include "ops/enhance/cpu/enhance_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

template <class T>
HWY_INLINE T grey_of(const GreyWeights& w, const T* p) {
  // below 2^32 - 2^15, because the weights sum to at most 2^16
  const std::uint32_t sum = w.weights[0] * p[0] + w.weights[1] * p[1] + w.weights[2] * p[2];
  return static_cast<T>((sum + 32768) >> 16);
}

#if HWY_TARGET != HWY_SCALAR  // its single lane cannot be used as two

#if HWY_ARCH_ARM_A64

/// Weights as wide as samples: bytes times 256 (the sum is at most 65408) or words. ARM multiplies
/// lanes to twice their bits in half the time of lanes that wide. Compilers use that only if the
/// widening of both factors is next to the product: so weights come from memory.
template <class T>
struct NarrowGrey {
  using DT = hn::ScalableTag<T>;
  using VT = hn::VFromD<DT>;
  using D = hn::Repartition<hwy::MakeWide<T>, DT>;
  using V = hn::VFromD<D>;
  const GreyWeights& w;

  HWY_INLINE VT weight(std::size_t c) const {
    if constexpr (sizeof(T) == 1)
      return hn::LoadU(DT(), w.bytes[c]);
    else
      return hn::LoadU(DT(), w.words[c]);
  }
  HWY_INLINE VT operator()(VT r, VT g, VT b) const {
    const D d;
    const DT dt;
    const hn::Half<DT> half;
    const VT wr = weight(0), wg = weight(1), wb = weight(2);
    const auto low = [=](VT v) HWY_ATTR { return hn::PromoteTo(d, hn::LowerHalf(half, v)); };
    const auto high = [=](VT v) HWY_ATTR { return hn::PromoteTo(d, hn::UpperHalf(half, v)); };
    const V round = hn::Set(d, sizeof(T) == 1 ? 128 : 32768);
    const V first =
        mul_add(low(b), low(wb), mul_add(low(g), low(wg), mul_add(low(r), low(wr), round)));
    const V second =
        mul_add(high(b), high(wb), mul_add(high(g), high(wg), mul_add(high(r), high(wr), round)));
    return hn::ConcatOdd(dt, hn::BitCast(dt, second), hn::BitCast(dt, first));
  }
};
using ByteGrey = NarrowGrey<std::uint8_t>;

#else

/// Weights that are bytes times 256: the sum is at most 65408. Bytes at even and odd positions
/// become 16-bit lanes without a shuffle.
struct ByteGrey {
  using D = hn::ScalableTag<std::uint16_t>;
  using V = hn::VFromD<D>;
  using D8 = hn::Repartition<std::uint8_t, D>;
  using V8 = hn::VFromD<D8>;
  const GreyWeights& w;

  HWY_INLINE V sum(V r, V g, V b) const {
    const auto weight = [&](std::size_t c) HWY_ATTR {
      return hn::Set(D(), static_cast<std::uint16_t>(w.bytes[c][0]));
    };
    return mul_add(b, weight(2), mul_add(g, weight(1), mul_add(r, weight(0), hn::Set(D(), 128))));
  }
  HWY_INLINE V8 operator()(V8 r8, V8 g8, V8 b8) const {
    const D d;
    const V r = hn::BitCast(d, r8), g = hn::BitCast(d, g8), b = hn::BitCast(d, b8);
    const V low = hn::Set(d, 255);
    const V even = sum(hn::And(r, low), hn::And(g, low), hn::And(b, low));
    const V odd = sum(hn::ShiftRight<8>(r), hn::ShiftRight<8>(g), hn::ShiftRight<8>(b));
    return hn::BitCast(D8(), hn::Or(hn::ShiftRight<8>(even), hn::AndNot(low, odd)));
  }
};

#endif

/// Any weights. Samples become 32-bit lanes of two or four positions each, and results go back
/// there.
template <class T>
struct WideGrey {
  using D = hn::ScalableTag<std::uint32_t>;
  using V = hn::VFromD<D>;
  using DT = hn::Repartition<T, D>;
  static constexpr int kBits = 8 * sizeof(T);
  V red, green, blue;

  HWY_INLINE explicit WideGrey(const GreyWeights& w)
      : red(hn::Set(D(), w.weights[0])),
        green(hn::Set(D(), w.weights[1])),
        blue(hn::Set(D(), w.weights[2])) {}

  template <int kPlace>
  HWY_INLINE V at(V r, V g, V b) const {
    const D d;
    const V low = hn::Set(d, static_cast<T>(~0));
    const auto sample = [=](V v)
                            HWY_ATTR { return hn::And(hn::ShiftRight<kPlace * kBits>(v), low); };
    const V sum = mul_add(sample(b), blue,
                          mul_add(sample(g), green, mul_add(sample(r), red, hn::Set(d, 32768))));
    return hn::ShiftLeft<kPlace * kBits>(hn::ShiftRight<16>(sum));
  }
  template <class VT>
  HWY_INLINE VT operator()(VT r_t, VT g_t, VT b_t) const {
    const D d;
    const V r = hn::BitCast(d, r_t), g = hn::BitCast(d, g_t), b = hn::BitCast(d, b_t);
    V made = hn::Or(at<0>(r, g, b), at<1>(r, g, b));
    if constexpr (sizeof(T) == 1) made = hn::Or(made, hn::Or(at<2>(r, g, b), at<3>(r, g, b)));
    return hn::BitCast(DT(), made);
  }
};

template <class T, class Grey>
HWY_INLINE void grey_lanes(const Grey& grey, const GreyWeights& w, int channels, const T* in,
                           long long pixels, T* out) {
  const hn::ScalableTag<T> d;
  using V = hn::VFromD<decltype(d)>;
  if (channels == 3)
    return for_lanes(
        pixels, lanes_of(d),
        [=, &grey](long long x) HWY_ATTR {
          V r, g, b;
          hn::LoadInterleaved3(d, in + 3 * x, r, g, b);
          hn::StoreU(grey(r, g, b), d, out + x);
        },
        [=, &w](long long x) { out[x] = grey_of(w, in + 3 * x); });
  for_lanes(
      pixels, lanes_of(d),
      [=, &grey](long long x) HWY_ATTR {
        V r, g, b, alpha;
        hn::LoadInterleaved4(d, in + 4 * x, r, g, b, alpha);
        hn::StoreInterleaved2(grey(r, g, b), alpha, d, out + 2 * x);
      },
      [=, &w](long long x) {
        out[2 * x] = grey_of(w, in + 4 * x);
        out[2 * x + 1] = in[4 * x + 3];
      });
}

template <class T>
void grey_row(const GreyWeights& w, int channels, const T* in, long long pixels, T* out) {
  if constexpr (sizeof(T) == 1)
    if (w.in_bytes) return grey_lanes(ByteGrey{w}, w, channels, in, pixels, out);
#if HWY_ARCH_ARM_A64
  if constexpr (sizeof(T) == 2)
    if (w.in_words) return grey_lanes(NarrowGrey<T>{w}, w, channels, in, pixels, out);
#endif
  grey_lanes(WideGrey<T>(w), w, channels, in, pixels, out);
}

#else

template <class T>
void grey_row(const GreyWeights& w, int channels, const T* in, long long pixels, T* out) {
  for (long long x = 0; x < pixels; ++x, in += channels) {
    *out++ = grey_of(w, in);
    if (channels == 4) *out++ = in[3];
  }
}

#endif

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

#if HWY_TARGET != HWY_SCALAR

/// Vectors become grey while those before them are counted: the former keeps vector units busy, the
/// latter loads and stores. Returns the number of pixels done.
HWY_INLINE long long grey_while_counting(const GreyWeights& w, const std::uint8_t* in,
                                         long long pixels, std::uint8_t* out,
                                         std::uint32_t* tables) {
  const hn::ScalableTag<std::uint8_t> d;
  const ByteGrey grey{w};
  const long long lanes = lanes_of(d);
  long long x = 0;
  for (; x + lanes <= pixels; x += lanes) {
    hn::VFromD<decltype(d)> r, g, b;
    hn::LoadInterleaved3(d, in + 3 * x, r, g, b);
    hn::StoreU(grey(r, g, b), d, out + x);
    for (long long k = x - lanes; k >= 0 && k < x; k += 8) count_eight(out + k, tables);
  }
  if (x > 0) count_row(out + x - lanes, lanes, tables);
  return x;
}

#endif

template <class T>
void grey_and_count_row(const GreyWeights& w, const T* in, long long pixels, T* out,
                        std::uint32_t* tables) {
  long long done = 0;
#if HWY_TARGET != HWY_SCALAR
  if constexpr (sizeof(T) == 1)
    if (w.in_bytes) done = grey_while_counting(w, in, pixels, out, tables);
#endif
  grey_row(w, 3, in + 3 * done, pixels - done, out + done);
  count_row(out + done, pixels - done, tables);
}

template <class T>
void add_rows(EnhanceRows<T>& rows) {
  rows.grey = grey_row<T>;
  rows.grey_and_count = grey_and_count_row<T>;
  rows.count = count_row<T>;
}
void rows_8(EnhanceRows<std::uint8_t>& rows) { add_rows(rows); }
void rows_16(EnhanceRows<std::uint16_t>& rows) { add_rows(rows); }

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

GreyWeights::GreyWeights(const std::array<int, 3>& over_65536)
    : weights{}, in_bytes(true), in_words(true) {
  for (std::size_t c = 0; c < 3; ++c) {
    const int weight = over_65536[c];
    weights[c] = static_cast<std::uint32_t>(weight);
    in_words = in_words && weight < 65536;
    in_bytes = in_bytes && weight % 256 == 0 && weight < 65536;
    std::fill_n(bytes[c], 16, static_cast<std::uint8_t>(weight >> 8));
    std::fill_n(words[c], 8, static_cast<std::uint16_t>(weight));
  }
}

HWY_EXPORT(rows_8);
HWY_EXPORT(rows_16);

template <>
EnhanceRows<std::uint8_t> enhance_rows() {
  EnhanceRows<std::uint8_t> rows{};
  HWY_DYNAMIC_DISPATCH(rows_8)(rows);
  add_guess_rows(rows);
  add_curve_rows(rows);
  add_smooth_rows(rows);
  return rows;
}
template <>
EnhanceRows<std::uint16_t> enhance_rows() {
  EnhanceRows<std::uint16_t> rows{};
  HWY_DYNAMIC_DISPATCH(rows_16)(rows);
  add_guess_rows(rows);
  add_curve_rows(rows);
  add_smooth_rows(rows);
  return rows;
}

}  // namespace tessera
#endif
