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
HWY_INLINE T grey_of(const GreyWeights& w, const T* p) {
  // below 2^32 - 2^15, for the weights sum to 2^16 at most
  const std::uint32_t sum = w.weights[0] * p[0] + w.weights[1] * p[1] + w.weights[2] * p[2];
  return static_cast<T>((sum + 32768) >> 16);
}

#if HWY_TARGET != HWY_SCALAR  // whose one lane cannot be taken for two

#if HWY_ARCH_ARM_A64

/// Weights as wide as samples: bytes times 256 (65408 is the most that can come together) or words.
/// ARM multiplies lanes to twice their bits in half the time of lanes that wide. Compilers see the
/// chance only where the widening of both factors stands beside the product: so weights come from
/// memory.
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

/// Weights that are bytes times 256: 65408 is the most that can come together. Bytes of even and
/// odd places are 16-bit lanes without moving.
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

/// Any weights. Samples are 32-bit lanes of two or four places each, and results go back there.
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

/// Vectors become grey while those before them are counted: the one keeps vector units busy, the
/// other loads and stores. Returns how many pixels are done.
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

/// Contrast of words; the upper 16 of 32-bit sums are the part behind the whole.
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
    // A widening that two products share is not joined with them (see NarrowGrey): so there is
    // another x, which compilers cannot know to be the same.
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

/// Bytes count up to 255 comparisons each before they are added up.
template <class T>
void compare_row(const std::array<T, kGuessedValues>& values, const T* in, long long samples,
                 std::uint64_t* greater) {
  long long x = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<T> d;
  const hn::Repartition<std::uint64_t, decltype(d)> d64;
  using V = hn::VFromD<decltype(d)>;
  const long long lanes = lanes_of(d);
  const V v0 = hn::Set(d, values[0]), v1 = hn::Set(d, values[1]), v2 = hn::Set(d, values[2]),
          v3 = hn::Set(d, values[3]), v4 = hn::Set(d, values[4]), v5 = hn::Set(d, values[5]);
  const auto one_more = [d](V count, V v, V limit) HWY_ATTR {
    return hn::Sub(count, hn::VecFromMask(d, hn::Gt(v, limit)));
  };
  while (x + lanes <= samples) {
    V c0 = hn::Zero(d), c1 = c0, c2 = c0, c3 = c0, c4 = c0, c5 = c0;
    const long long end = HWY_MIN(samples, x + 255 * lanes);
    for (; x + lanes <= end; x += lanes) {
      const V v = hn::LoadU(d, in + x);
      c0 = one_more(c0, v, v0);
      c1 = one_more(c1, v, v1);
      c2 = one_more(c2, v, v2);
      c3 = one_more(c3, v, v3);
      c4 = one_more(c4, v, v4);
      c5 = one_more(c5, v, v5);
    }
    const auto add = [d64](V count, std::uint64_t& sum)
                         HWY_ATTR { sum += hn::GetLane(hn::SumOfLanes(d64, hn::SumsOf8(count))); };
    add(c0, greater[0]);
    add(c1, greater[1]);
    add(c2, greater[2]);
    add(c3, greater[3]);
    add(c4, greater[4]);
    add(c5, greater[5]);
  }
#endif
  for (; x < samples; ++x)
    for (std::size_t k = 0; k < kGuessedValues; ++k) greater[k] += in[x] > values[k];
}

#if HWY_TARGET != HWY_SCALAR

template <class V>
HWY_INLINE std::uint64_t sum_of_words(V v) {
  const hn::DFromV<V> d;
  const hn::Repartition<std::uint32_t, decltype(d)> d32;
  const auto both = hn::BitCast(d32, v);
  const auto sums = hn::Add(hn::And(both, hn::Set(d32, 0xFFFF)), hn::ShiftRight<16>(both));
  return hn::GetLane(hn::SumOfLanes(d32, sums));
}

/// Groups of vectors in which no sample lies in a range, as in most, are not counted. Returns how
/// many samples are done.
HWY_INLINE long long count_groups(const ValueRanges& r, const std::uint16_t* in, long long samples,
                                  std::uint32_t* table, std::uint64_t* below) {
  constexpr int kGroup = 4;
  const hn::ScalableTag<std::uint16_t> d;
  using V = hn::VFromD<decltype(d)>;
  const long long lanes = lanes_of(d), group = kGroup * lanes;
  const auto set = [d](int v) HWY_ATTR { return hn::Set(d, static_cast<std::uint16_t>(v)); };
  const V first0 = set(r.first[0]), first1 = set(r.first[1]),
          length0 = set(r.last[0] - r.first[0] + 1), length1 = set(r.last[1] - r.first[1] + 1);
  long long x = 0;
  while (x + group <= samples) {
    V below0 = hn::Zero(d), below1 = below0;  // lanes count to 65535
    const long long end = HWY_MIN(samples, x + 65535 / kGroup * group);
    for (; x + group <= end; x += group) {
      V inside = hn::Zero(d);
      for (int k = 0; k < kGroup; ++k) {
        const V v = hn::LoadU(d, in + x + k * lanes);
        below0 = hn::Sub(below0, hn::VecFromMask(d, hn::Lt(v, first0)));
        below1 = hn::Sub(below1, hn::VecFromMask(d, hn::Lt(v, first1)));
        inside = hn::Or(inside, hn::VecFromMask(d, hn::Lt(hn::Sub(v, first0), length0)));
        inside = hn::Or(inside, hn::VecFromMask(d, hn::Lt(hn::Sub(v, first1), length1)));
      }
      if (hn::AllFalse(d, hn::MaskFromVec(inside))) continue;
      for (long long k = x; k < x + group; ++k) ++table[in[k]];
    }
    below[0] += sum_of_words(below0);
    below[1] += sum_of_words(below1);
  }
  return x;
}

#endif

void count_ranges_row(const ValueRanges& r, const std::uint16_t* in, long long samples,
                      std::uint32_t* table, std::uint64_t* below) {
  long long x = 0;
#if HWY_TARGET != HWY_SCALAR
  x = count_groups(r, in, samples, table, below);
#endif
  for (; x < samples; ++x) {
    ++table[in[x]];
    for (std::size_t k = 0; k < 2; ++k) below[k] += in[x] < r.first[k];
  }
}
template <class T>
auto count_ranges_of() -> decltype(EnhanceRows<T>::count_ranges) {
  if constexpr (sizeof(T) == 2)
    return count_ranges_row;
  else
    return nullptr;
}

template <class T>
auto compare_of() -> decltype(EnhanceRows<T>::compare) {
  if constexpr (sizeof(T) == 1)
    return compare_row<T>;
  else
    return nullptr;
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

#define TESSERA_ENHANCE_ROWS(bits)                 \
  EnhanceRows<std::uint##bits##_t> rows_##bits() { \
    using T = std::uint##bits##_t;                 \
    return {grey_row<T>,                           \
            grey_and_count_row<T>,                 \
            count_row<T>,                          \
            compare_of<T>(),                       \
            count_ranges_of<T>(),                  \
            follow_row<T>,                         \
            nullptr,                               \
            {},                                    \
            {}};                                   \
  }
TESSERA_ENHANCE_ROWS(8)
TESSERA_ENHANCE_ROWS(16)
#undef TESSERA_ENHANCE_ROWS

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
