// SPDX-License-Identifier: Apache-2.0
// Smoothing of rows, once a SIMD target: sums along rows, sums of rows, their division. Lanes are
// outputs.
#include <algorithm>

#include "ops/enhance/enhance_smooth_rows.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/enhance/enhance_smooth_simd.cpp"
#include <hwy/foreach_target.h>

#include "ops/enhance/enhance_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

using D16 = hn::ScalableTag<std::uint16_t>;
using D32 = hn::ScalableTag<std::uint32_t>;
using V16 = hn::VFromD<D16>;
using V32 = hn::VFromD<D32>;

struct High16 {
  V16 half, factor;
  int shift;
  HWY_INLINE explicit High16(const ExactDivision& d)
      : half(hn::Set(D16(), static_cast<std::uint16_t>(d.half))),
        factor(hn::Set(D16(), static_cast<std::uint16_t>(d.factor))),
        shift(d.shift) {}
  HWY_INLINE V16 operator()(V16 sum) const {
    return hn::ShiftRightSame(hn::MulHigh(hn::Add(sum, half), factor), shift);
  }
};

/// The float quotient is at most one off, whatever was rounded: results have 16 bits, floats 24.
struct Floats {
  V32 half;
  hn::VFromD<hn::RebindToSigned<D32>> total;
  hn::VFromD<hn::RebindToFloat<D32>> inverse;
  HWY_INLINE explicit Floats(const ExactDivision& d)
      : half(hn::Set(D32(), static_cast<std::uint32_t>(d.half))),
        total(hn::Set(hn::RebindToSigned<D32>(), d.total)),
        inverse(hn::Set(hn::RebindToFloat<D32>(), 1.0F / static_cast<float>(d.total))) {}
  HWY_INLINE V32 operator()(V32 sum) const {
    const hn::RebindToSigned<D32> di;
    const hn::RebindToFloat<D32> df;
    const auto n = hn::BitCast(di, hn::Add(sum, half));
    const auto quotient = hn::ConvertTo(di, hn::Mul(hn::ConvertTo(df, n), inverse));
    const auto left = hn::Sub(n, hn::Mul(quotient, total));
    const auto too_much = hn::VecFromMask(di, hn::Lt(left, hn::Zero(di)));      // -1
    const auto too_little = hn::VecFromMask(di, hn::Not(hn::Lt(left, total)));  // -1
    return hn::BitCast(D32(), hn::Sub(hn::Add(quotient, too_much), too_little));
  }
};

template <class T>
HWY_INLINE void store_narrow(V16 v, T* to) {
  hn::StoreU(hn::DemoteTo(hn::Rebind<T, D16>(), hn::BitCast(hn::RebindToSigned<D16>(), v)),
             hn::Rebind<T, D16>(), to);
}
template <class T>
HWY_INLINE void store_narrow(V32 v, T* to) {
  hn::StoreU(hn::DemoteTo(hn::Rebind<T, D32>(), hn::BitCast(hn::RebindToSigned<D32>(), v)),
             hn::Rebind<T, D32>(), to);
}

inline bool is_triangle(const int* w, int taps) {
  return taps == 5 && w[0] == 1 && w[1] == 2 && w[2] == 3 && w[3] == 2 && w[4] == 1;
}

#if HWY_TARGET != HWY_SCALAR

template <class Scalar>
void triangle_across(long long step, const std::uint8_t* in, long long count, std::uint16_t* sums,
                     Scalar scalar) {
  const D16 d;
  const hn::Repartition<std::uint8_t, D16> d8;
  const long long lanes = lanes_of(d);
  const auto sum = [](V16 v0, V16 v1, V16 v2, V16 v3, V16 v4) HWY_ATTR {
    const V16 outer = hn::Add(hn::Add(v0, v4), v2), inner = hn::Add(hn::Add(v1, v3), v2);
    return hn::Add(hn::Add(outer, inner), inner);
  };
  for_lanes(
      count, 2 * lanes,
      [=](long long x) HWY_ATTR {
        V16 low[5], high[5];
        for (int i = 0; i < 5; ++i) load_two_wide(d, d8, in + x + i * step, low[i], high[i]);
        hn::StoreU(sum(low[0], low[1], low[2], low[3], low[4]), d, sums + x);
        hn::StoreU(sum(high[0], high[1], high[2], high[3], high[4]), d, sums + x + lanes);
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
  if constexpr (sizeof(T) == 1 && sizeof(Sum) == 2)
    if (is_triangle(weights, taps)) return triangle_across(step, in, count, sums, scalar);
#endif
  for_lanes(
      count, lanes,
      [=](long long x) HWY_ATTR {
        auto sum = hn::Zero(d);
        for (int i = 0; i < taps; ++i)
          sum = mul_add(load_wide(d, in + x + i * step), hn::Set(d, static_cast<Sum>(weights[i])),
                        sum);
        hn::StoreU(sum, d, sums + x);
      },
      scalar);
}

template <class T, class Sum>
HWY_INLINE T divided(const ExactDivision& d, Sum sum) {
  return static_cast<T>((static_cast<std::uint32_t>(sum) + static_cast<std::uint32_t>(d.half)) /
                        static_cast<std::uint32_t>(d.total));
}

template <class Divide, class T, class Sum>
void down_rows(const SumRows<Sum>& s, long long count, T* out) {
  const hn::ScalableTag<Sum> d;
  const Divide divide(s.division);
  const Sum* const* rows = s.rows;
  const int* weights = s.weights;
  const int taps = s.taps;
  for_lanes(
      count, lanes_of(d),
      [=](long long x) HWY_ATTR {
        auto sum = hn::Zero(d);
        for (int j = 0; j < taps; ++j)
          sum = mul_add(hn::LoadU(d, rows[j] + x), hn::Set(d, static_cast<Sum>(weights[j])), sum);
        store_narrow(divide(sum), out + x);
      },
      [=, &s](long long x) {
        Sum sum = 0;
        for (int j = 0; j < taps; ++j)
          sum = static_cast<Sum>(sum + static_cast<Sum>(weights[j]) * rows[j][x]);
        out[x] = divided<T>(s.division, sum);
      });
}

#if HWY_TARGET != HWY_SCALAR

/// Four rows share their sums of two and three: 15 additions in place of 24.
void triangle_down(const SumRows<std::uint16_t>& s, long long count, std::uint8_t* const* out) {
  const D16 d;
  const hn::Repartition<std::uint8_t, D16> d8;
  const long long lanes = lanes_of(d);
  const V16 half = hn::Set(d, static_cast<std::uint16_t>(s.division.half));
  const V16 factor = hn::Set(d, static_cast<std::uint16_t>(s.division.factor));
  const int shift = s.division.shift;
  const std::uint16_t *r0 = s.rows[0], *r1 = s.rows[1], *r2 = s.rows[2], *r3 = s.rows[3],
                      *r4 = s.rows[4], *r5 = s.rows[5], *r6 = s.rows[6], *r7 = s.rows[7];
  std::uint8_t *out0 = out[0], *out1 = out[1], *out2 = out[2], *out3 = out[3];
  const auto divide = [=](V16 sum)
                          HWY_ATTR { return hn::ShiftRightSame(hn::MulHigh(sum, factor), shift); };
  const auto four = [=](long long x, V16* made) HWY_ATTR {
    const auto load = [=](const std::uint16_t* row) HWY_ATTR { return hn::LoadU(d, row + x); };
    const V16 v2 = load(r2), v3 = load(r3), v4 = load(r4), v5 = load(r5);
    const V16 p12 = hn::Add(load(r1), v2), p34 = hn::Add(v3, v4), p56 = hn::Add(v5, load(r6));
    const V16 t0 = hn::Add(load(r0), p12), t1 = hn::Add(p12, v3), t2 = hn::Add(v2, p34),
              t3 = hn::Add(p34, v5), t4 = hn::Add(v4, p56), t5 = hn::Add(p56, load(r7));
    const V16 m12 = hn::Add(hn::Add(t1, t2), half), m34 = hn::Add(hn::Add(t3, t4), half);
    made[0] = divide(hn::Add(t0, m12));
    made[1] = divide(hn::Add(m12, t3));
    made[2] = divide(hn::Add(t2, m34));
    made[3] = divide(hn::Add(m34, t5));
  };
  for_lanes(
      count, 2 * lanes,
      [=](long long x) HWY_ATTR {
        V16 low[4], high[4];
        four(x, low);
        four(x + lanes, high);
        hn::StoreU(narrow_two(d8, low[0], high[0]), d8, out0 + x);
        hn::StoreU(narrow_two(d8, low[1], high[1]), d8, out1 + x);
        hn::StoreU(narrow_two(d8, low[2], high[2]), d8, out2 + x);
        hn::StoreU(narrow_two(d8, low[3], high[3]), d8, out3 + x);
      },
      [=, &s](long long x) {
        constexpr int kWeights[] = {1, 2, 3, 2, 1};
        for (int k = 0; k < 4; ++k) {
          int sum = 0;
          for (int j = 0; j < 5; ++j) sum += kWeights[j] * s.rows[k + j][x];
          out[k][x] = divided<std::uint8_t>(s.division, sum);
        }
      });
}

#else

constexpr void (*triangle_down)(const SumRows<std::uint16_t>&, long long,
                                std::uint8_t* const*) = nullptr;

#endif

/// Sums of any sign, kept between 0 and what makes the largest value.
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
        store_narrow(divide(hn::BitCast(d, kept)), out + x);
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
  rows.smooth16 = {across_row<T, std::uint16_t>, down_rows<High16, T, std::uint16_t>,
                   triangle_down};
  rows.smooth32 = {across_row<T, std::uint32_t>, down_rows<Floats, T, std::uint32_t>, nullptr};
}
void smooth_rows_16(EnhanceRows<std::uint16_t>& rows) {
  using T = std::uint16_t;
  rows.weigh = weigh_rows<T>;
  rows.smooth32 = {across_row<T, std::uint32_t>, down_rows<Floats, T, std::uint32_t>, nullptr};
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
