// SPDX-License-Identifier: Apache-2.0
// Smoothing of rows, once per SIMD target: sums along rows, sums of rows, their division. Lanes are
// outputs.
#include <algorithm>
#include <type_traits>

#include "ops/enhance/cpu/enhance_row_parts.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/enhance/cpu/enhance_smooth_simd.cpp"
#include <hwy/foreach_target.h>

#include "ops/enhance/cpu/enhance_divide-inl.hpp"
#include "ops/enhance/cpu/enhance_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

template <class T>
HWY_INLINE void store_narrow(V16 v, T* to) {
  hn::StoreU(hn::DemoteTo(hn::Rebind<T, D16>(), hn::BitCast(hn::RebindToSigned<D16>(), v)),
             hn::Rebind<T, D16>(), to);
}
/// Only the lower bits of a lane are the sample. For bytes they are extracted by hand: TruncateTo
/// from 32 to 8 bits is wrong in Highway 1.0.3 on AVX-512 with VBMI (it permutes words, not bytes).
template <class T>
HWY_INLINE void store_narrow(V32 v, T* to) {
  const hn::Rebind<T, D32> narrow;
  if constexpr (sizeof(T) == 1) {
    const auto low = hn::And(v, hn::Set(D32(), 255));
    hn::StoreU(hn::DemoteTo(narrow, hn::BitCast(hn::RebindToSigned<D32>(), low)), narrow, to);
  } else {
    hn::StoreU(hn::TruncateTo(narrow, v), narrow, to);
  }
}

/// Vectors that pass through a loop over weights together.
constexpr int kAtOnce = 4;

inline bool is_triangle(const int* w, int taps) {
  return taps == 5 && w[0] == 1 && w[1] == 2 && w[2] == 3 && w[3] == 2 && w[4] == 1;
}

#if HWY_TARGET != HWY_SCALAR

/// 1 2 3 2 1 by additions; four rows share their sums of two and three.
struct Triangle {
  static constexpr int kTaps = 5;
  template <class V>
  HWY_INLINE V sum(const V* v) const {
    const V outer = hn::Add(hn::Add(v[0], v[4]), v[2]), inner = hn::Add(hn::Add(v[1], v[3]), v[2]);
    return hn::Add(hn::Add(outer, inner), inner);
  }
  /// 15 additions instead of 24.
  template <class V>
  HWY_INLINE void four_sums(const V* v, V bias, V* sums) const {
    const V p12 = hn::Add(v[1], v[2]), p34 = hn::Add(v[3], v[4]), p56 = hn::Add(v[5], v[6]);
    const V t0 = hn::Add(v[0], p12), t1 = hn::Add(p12, v[3]), t2 = hn::Add(v[2], p34),
            t3 = hn::Add(p34, v[5]), t4 = hn::Add(v[4], p56), t5 = hn::Add(p56, v[7]);
    const V m12 = hn::Add(hn::Add(t1, t2), bias), m34 = hn::Add(hn::Add(t3, t4), bias);
    sums[0] = hn::Add(t0, m12);
    sums[1] = hn::Add(m12, t3);
    sums[2] = hn::Add(t2, m34);
    sums[3] = hn::Add(m34, t5);
  }
};

/// Any symmetric weights: the two samples with the same weight are added first.
template <class D, int kCount, bool kOuterIsOne>
struct Symmetric {
  static constexpr int kTaps = kCount, kMiddle = kCount / 2;
  using V = hn::VFromD<D>;
  V weights[kMiddle + 1];
  HWY_INLINE explicit Symmetric(const int* w) {
    for (int i = 0; i <= kMiddle; ++i) weights[i] = hn::Set(D(), static_cast<hn::TFromD<D>>(w[i]));
  }
  HWY_INLINE V inner(const V* v, V sum) const {
    for (int i = kOuterIsOne ? 1 : 0; i < kMiddle; ++i)
      sum = mul_add(hn::Add(v[i], v[kTaps - 1 - i]), weights[i], sum);
    return mul_add(v[kMiddle], weights[kMiddle], sum);
  }
  HWY_INLINE V sum(const V* v, V bias) const {
    return inner(v, kOuterIsOne ? hn::Add(hn::Add(v[0], v[kTaps - 1]), bias) : bias);
  }
  HWY_INLINE V sum(const V* v) const {
    return inner(v, kOuterIsOne ? hn::Add(v[0], v[kTaps - 1]) : hn::Zero(D()));
  }
  HWY_INLINE void four_sums(const V* v, V bias, V* sums) const {
    for (int k = 0; k < 4; ++k) sums[k] = sum(v + k, bias);
  }
};

/// Calls work(weights) with one of the above. False: other weights.
template <class D, class Work>
HWY_INLINE bool with_weights(const int* w, int taps, Work work) {
  if (is_triangle(w, taps)) return work(Triangle()), true;
  if (!four_rows_fit(w, taps)) return false;
  const auto sized = [&](auto outer_is_one) HWY_ATTR {
    constexpr bool kOne = decltype(outer_is_one)::value;
    if (taps == 3) work(Symmetric<D, 3, kOne>(w));
    if (taps == 5) work(Symmetric<D, 5, kOne>(w));
    if (taps == 7) work(Symmetric<D, 7, kOne>(w));
  };
  w[0] == 1 ? sized(std::true_type()) : sized(std::false_type());
  return true;
}

template <class Weights, class T, class Sum, class Scalar>
HWY_INLINE void across_lanes(const Weights& weights, long long step, const T* in, long long count,
                             Sum* sums, Scalar scalar) {
  constexpr int kTaps = Weights::kTaps;
  const hn::ScalableTag<Sum> d;
  const hn::Repartition<T, decltype(d)> dt;
  using V = hn::VFromD<decltype(d)>;
  const long long lanes = lanes_of(d);
  for_lanes(
      count, 2 * lanes,
      [=](long long x) HWY_ATTR {
        V low[kTaps], high[kTaps];
        for (int i = 0; i < kTaps; ++i) load_two_wide(d, dt, in + x + i * step, low[i], high[i]);
        hn::StoreU(weights.sum(low), d, sums + x);
        hn::StoreU(weights.sum(high), d, sums + x + lanes);
      },
      scalar);
}

#endif

template <class T, class Sum>
void across_row(const RowWeights& w, const T* in, long long count, Sum* sums) {
  const hn::ScalableTag<Sum> d;
  const long long step = w.step, lanes = lanes_of(d);
  const int taps = w.taps;
  const int* weights = w.weights;
  const auto scalar = [=](long long x) {
    Sum sum = 0;
    for (int i = 0; i < taps; ++i)
      sum = static_cast<Sum>(sum + static_cast<Sum>(weights[i]) * in[x + i * step]);
    sums[x] = sum;
  };
#if HWY_TARGET != HWY_SCALAR
  if constexpr (sizeof(Sum) == 2 * sizeof(T))
    if (with_weights<decltype(d)>(weights, taps, [&](const auto& known) HWY_ATTR {
          across_lanes(known, step, in, count, sums, scalar);
        }))
      return;
#endif
  for_lanes(
      count, kAtOnce * lanes,
      [=](long long x) HWY_ATTR {
        hn::VFromD<decltype(d)> sum[kAtOnce];
        for (auto& one : sum) one = hn::Zero(d);
        for (int i = 0; i < taps; ++i) {
          const auto weight = hn::Set(d, static_cast<Sum>(weights[i]));
          const T* from = in + x + i * step;
          for (int k = 0; k < kAtOnce; ++k)
            sum[k] = mul_add(load_wide(d, from + k * lanes), weight, sum[k]);
        }
        for (int k = 0; k < kAtOnce; ++k) hn::StoreU(sum[k], d, sums + x + k * lanes);
      },
      scalar);
}

template <class T, class Sum>
HWY_INLINE T divided(const ExactDivision& d, Sum sum) {
  return static_cast<T>((static_cast<std::uint32_t>(sum) + static_cast<std::uint32_t>(d.half)) /
                        static_cast<std::uint32_t>(d.total));
}

/// Sample x of the row whose first input row is `first`.
template <class T, class Sum>
HWY_INLINE T down_one(const SumRows<Sum>& s, int first, long long x) {
  Sum sum = 0;
  for (int j = 0; j < s.taps; ++j)
    sum = static_cast<Sum>(sum + static_cast<Sum>(s.weights[j]) * s.rows[first + j][x]);
  return divided<T>(s.division, sum);
}

template <class T, class Sum>
void down_rows(const SumRows<Sum>& s, long long count, T* out) {
  const hn::ScalableTag<Sum> d;
  const Sum* const* rows = s.rows;
  const int* weights = s.weights;
  const int taps = s.taps;
  const long long lanes = lanes_of(d);
  with_division<Sum>(s.division, [&](const auto& divide) HWY_ATTR {
    for_lanes(
        count, kAtOnce * lanes,
        [=](long long x) HWY_ATTR {
          hn::VFromD<decltype(d)> sum[kAtOnce];
          for (auto& one : sum) one = divide.bias;
          for (int j = 0; j < taps; ++j) {
            const auto weight = hn::Set(d, static_cast<Sum>(weights[j]));
            const Sum* from = rows[j] + x;
            for (int k = 0; k < kAtOnce; ++k)
              sum[k] = mul_add(hn::LoadU(d, from + k * lanes), weight, sum[k]);
          }
          for (int k = 0; k < kAtOnce; ++k) store_narrow(divide(sum[k]), out + x + k * lanes);
        },
        [=, &s](long long x) { out[x] = down_one<T>(s, 0, x); });
  });
}

#if HWY_TARGET != HWY_SCALAR

template <class Weights, class Divide, class T, class Sum>
HWY_INLINE void four_down_lanes(const Weights& weights, const Divide& divide, const SumRows<Sum>& s,
                                long long count, T* const* out) {
  constexpr int kRead = Weights::kTaps + 3;
  const hn::ScalableTag<Sum> d;
  const hn::Repartition<T, decltype(d)> dt;
  using V = hn::VFromD<decltype(d)>;
  const long long lanes = lanes_of(d);
  const Sum* rows[kRead];
  std::copy_n(s.rows, kRead, rows);
  T *out0 = out[0], *out1 = out[1], *out2 = out[2], *out3 = out[3];
  const auto four = [=](long long x, V* made) HWY_ATTR {
    V v[kRead];
    for (int k = 0; k < kRead; ++k) v[k] = hn::LoadU(d, rows[k] + x);
    weights.four_sums(v, divide.bias, made);
    for (int k = 0; k < 4; ++k) made[k] = divide(made[k]);
  };
  for_lanes(
      count, 2 * lanes,
      [=](long long x) HWY_ATTR {  // copies: stores of bytes might alias the references
        V low[4], high[4];
        four(x, low);
        four(x + lanes, high);
        hn::StoreU(narrow_two(dt, low[0], high[0]), dt, out0 + x);
        hn::StoreU(narrow_two(dt, low[1], high[1]), dt, out1 + x);
        hn::StoreU(narrow_two(dt, low[2], high[2]), dt, out2 + x);
        hn::StoreU(narrow_two(dt, low[3], high[3]), dt, out3 + x);
      },
      [=, &s](long long x) {
        for (int k = 0; k < 4; ++k) out[k][x] = down_one<T>(s, k, x);
      });
}

template <class T, class Sum>
void four_down(const SumRows<Sum>& s, long long count, T* const* out) {
  with_division<Sum>(s.division, [&](const auto& divide) HWY_ATTR {
    with_weights<hn::ScalableTag<Sum>>(s.weights, s.taps, [&](const auto& weights) HWY_ATTR {
      four_down_lanes(weights, divide, s, count, out);
    });
  });
}

#else

template <class T, class Sum>
constexpr void (*four_down)(const SumRows<Sum>&, long long, T* const*) = nullptr;

#endif

/// Sums of any sign, clamped between 0 and the sum that gives the largest value.
template <class T>
void weigh_rows(const WeighedRows<T>& w, long long count, T* out) {
  const D32 d;
  const hn::RebindToSigned<D32> di;
  const Floats divide(w.division);
  const int most = w.division.total * static_cast<int>(static_cast<T>(~0));
  const T* const* in = w.in;
  const int width = w.width, height = w.height, step = w.step;
  const int* weights = w.weights;
  for_lanes(
      count, lanes_of(d),
      [=](long long x) HWY_ATTR {
        auto sum = hn::Zero(d);
        const int* weight = weights;
        for (int j = 0; j < height; ++j)
          for (int i = 0; i < width; ++i)
            sum = mul_add(load_wide(d, in[j] + x + i * step),
                          hn::Set(d, static_cast<std::uint32_t>(*weight++)), sum);
        const auto kept = hn::Min(hn::Max(hn::BitCast(di, sum), hn::Zero(di)), hn::Set(di, most));
        store_narrow(divide(hn::Add(hn::BitCast(d, kept), divide.bias)), out + x);
      },
      [=, &w](long long x) {
        int sum = 0;
        const int* weight = weights;
        for (int j = 0; j < height; ++j)
          for (int i = 0; i < width; ++i) sum += *weight++ * in[j][x + i * step];
        out[x] = divided<T>(w.division, std::clamp(sum, 0, most));
      });
}

void smooth_rows_8(EnhanceRows<std::uint8_t>& rows) {
  using T = std::uint8_t;
  rows.weigh = weigh_rows<T>;
  rows.smooth16 = {across_row<T, std::uint16_t>, down_rows<T, std::uint16_t>,
                   four_down<T, std::uint16_t>};
  rows.smooth32 = {across_row<T, std::uint32_t>, down_rows<T, std::uint32_t>, nullptr};
}
void smooth_rows_16(EnhanceRows<std::uint16_t>& rows) {
  using T = std::uint16_t;
  rows.weigh = weigh_rows<T>;
  rows.smooth32 = {across_row<T, std::uint32_t>, down_rows<T, std::uint32_t>,
                   four_down<T, std::uint32_t>};
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(smooth_rows_8);
HWY_EXPORT(smooth_rows_16);

void add_smooth_rows(EnhanceRows<std::uint8_t>& rows) { HWY_DYNAMIC_DISPATCH(smooth_rows_8)(rows); }
void add_smooth_rows(EnhanceRows<std::uint16_t>& rows) {
  HWY_DYNAMIC_DISPATCH(smooth_rows_16)(rows);
}

}  // namespace tessera
#endif
