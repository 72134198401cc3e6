// SPDX-License-Identifier: Apache-2.0
// Small discrete Fourier transforms of values in registers, unrolled, with constant factors.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

struct Turn {
  double cosine, sine;
};

/// cos and sin of 2 pi k / n, exact to the last bit of a float, at compile time.
TESSERA_BOTH constexpr Turn turn(int k, int n) {
  k %= n;
  if (8 * k > n) {  // at most an eighth of a turn, the rest by symmetry
    if (4 * k == n) return {0, 1};
    if (2 * k == n) return {-1, 0};
    if (4 * k == 3 * n) return {0, -1};
    if (2 * k > n) return {turn(n - k, n).cosine, -turn(n - k, n).sine};
    if (4 * k > n) return {-turn(n - 2 * k, 2 * n).cosine, turn(n - 2 * k, 2 * n).sine};
    return {turn(n - 4 * k, 4 * n).sine, turn(n - 4 * k, 4 * n).cosine};
  }
  const double angle = 6.283185307179586476925 * k / n;
  double cosine = 1, sine = angle, c = 1, s = angle;
  for (int i = 1; i < 12; ++i) {
    c *= -angle * angle / ((2 * i - 1) * (2 * i));
    s *= -angle * angle / ((2 * i) * (2 * i + 1));
    cosine += c;
    sine += s;
  }
  return {cosine, sine};
}

__device__ inline float2 plus(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }
__device__ inline float2 minus(float2 a, float2 b) { return {a.x - b.x, a.y - b.y}; }
__device__ inline float2 times(float2 a, float2 b) {
  return {__fmaf_rn(a.x, b.x, -(a.y * b.y)), __fmaf_rn(a.x, b.y, a.y * b.x)};
}
__device__ inline float2 times_conjugate(float2 a, float2 b) {
  return {__fmaf_rn(a.x, b.x, a.y * b.y), __fmaf_rn(a.y, b.x, -(a.x * b.y))};
}

/// A quarter turn back (forward transforms), or on (inverse).
template <bool kInverse>
__device__ inline float2 quarter(float2 a) {
  return kInverse ? float2{-a.y, a.x} : float2{a.y, -a.x};
}

/// a times exp(-2 pi i k / n), or its conjugate for inverse transforms.
template <bool kInverse, int kK, int kN>
__device__ inline float2 turned(float2 a) {
  constexpr int k = kK % kN;
  if constexpr (k == 0)
    return a;
  else if constexpr (4 * k == kN)
    return quarter<kInverse>(a);
  else if constexpr (2 * k == kN)
    return {-a.x, -a.y};
  else if constexpr (4 * k == 3 * kN)
    return quarter<!kInverse>(a);
  else {
    constexpr float c = static_cast<float>(turn(k, kN).cosine);
    constexpr float s = static_cast<float>((kInverse ? 1 : -1) * turn(k, kN).sine);
    if constexpr (c == s)
      return {c * (a.x - a.y), c * (a.x + a.y)};
    else if constexpr (c == -s)
      return {c * (a.x + a.y), c * (a.y - a.x)};
    else
      return {__fmaf_rn(a.x, c, -(a.y * s)), __fmaf_rn(a.x, s, a.y * c)};
  }
}

/// Calls f with 0 … kEnd - 1 as types, so that they are constants inside.
template <int kValue>
struct Constant {
  static constexpr int value = kValue;
};
template <int kEnd, int kFirst = 0, class F>
__device__ inline void each(F f) {
  if constexpr (kFirst < kEnd) {
    f(Constant<kFirst>());
    each<kEnd, kFirst + 1>(f);
  }
}

template <int kN, bool kInverse, int kStep = 1>
__device__ inline void dft(float2* v);

/// N = A B: B transforms of A strided values, factors, A transforms of B values.
template <int kA, int kB, bool kInverse, int kStep>
__device__ inline void dft_product(float2* v) {
  float2 t[kA * kB];
  each<kB>([&](auto n) {
    float2 column[kA];
#pragma unroll
    for (int m = 0; m < kA; ++m) column[m] = v[(kB * m + decltype(n)::value) * kStep];
    dft<kA, kInverse>(column);
    each<kA>([&](auto k) {
      t[decltype(k)::value * kB + decltype(n)::value] =
          turned<kInverse, decltype(k)::value* decltype(n)::value, kA * kB>(
              column[decltype(k)::value]);
    });
  });
#pragma unroll
  for (int k = 0; k < kA; ++k) {
    dft<kB, kInverse>(t + k * kB);
#pragma unroll
    for (int m = 0; m < kB; ++m) v[(k + kA * m) * kStep] = t[k * kB + m];
  }
}

/// Transforms of 3 and of 5 values: sums and differences of those that mirror each other.
template <bool kInverse, int kStep>
__device__ inline void dft3(float2* v) {
  constexpr auto sine = static_cast<float>(turn(1, 3).sine);
  const float2 sum = plus(v[kStep], v[2 * kStep]), difference = minus(v[kStep], v[2 * kStep]);
  const float2 middle = {__fmaf_rn(-0.5F, sum.x, v[0].x), __fmaf_rn(-0.5F, sum.y, v[0].y)};
  const float2 side = quarter<kInverse>({sine * difference.x, sine * difference.y});
  v[0] = plus(v[0], sum);
  v[kStep] = plus(middle, side);
  v[2 * kStep] = minus(middle, side);
}

__device__ inline float2 weighted(float2 start, float a, float2 v, float b, float2 w) {
  return {__fmaf_rn(b, w.x, __fmaf_rn(a, v.x, start.x)),
          __fmaf_rn(b, w.y, __fmaf_rn(a, v.y, start.y))};
}

template <bool kInverse, int kStep>
__device__ inline void dft5(float2* v) {
  constexpr auto c1 = static_cast<float>(turn(1, 5).cosine),
                 c2 = static_cast<float>(turn(2, 5).cosine),
                 s1 = static_cast<float>(turn(1, 5).sine), s2 = static_cast<float>(turn(2, 5).sine);
  const float2 sum1 = plus(v[kStep], v[4 * kStep]), difference1 = minus(v[kStep], v[4 * kStep]);
  const float2 sum2 = plus(v[2 * kStep], v[3 * kStep]),
               difference2 = minus(v[2 * kStep], v[3 * kStep]);
  const float2 middle1 = weighted(v[0], c1, sum1, c2, sum2),
               middle2 = weighted(v[0], c2, sum1, c1, sum2);
  const float2 side1 = quarter<kInverse>(weighted({0, 0}, s1, difference1, s2, difference2)),
               side2 = quarter<kInverse>(weighted({0, 0}, s2, difference1, -s1, difference2));
  v[0] = plus(v[0], plus(sum1, sum2));
  v[kStep] = plus(middle1, side1);
  v[2 * kStep] = plus(middle2, side2);
  v[3 * kStep] = minus(middle2, side2);
  v[4 * kStep] = minus(middle1, side1);
}

/// The first factor of a product: 8 is 2 x 4, multiples of 4 begin with 4, 9 is 3 x 3.
TESSERA_BOTH constexpr int first_factor(int n) {
  if (n == 8 || n % 2 != 0) return n == 8 ? 2 : 3;
  return n % 4 == 0 ? 4 : 2;
}

/// The transform of kN values kStep apart, in natural order, without a factor. kN has no
/// prime factors other than 2, 3 and 5.
template <int kN, bool kInverse, int kStep>
__device__ inline void dft(float2* v) {
  if constexpr (kN == 2) {
    const float2 a = v[0], b = v[kStep];
    v[0] = plus(a, b);
    v[kStep] = minus(a, b);
  } else if constexpr (kN == 4) {
    const float2 a = plus(v[0], v[2 * kStep]), b = minus(v[0], v[2 * kStep]);
    const float2 c = plus(v[kStep], v[3 * kStep]);
    const float2 d = quarter<kInverse>(minus(v[kStep], v[3 * kStep]));
    v[0] = plus(a, c);
    v[kStep] = plus(b, d);
    v[2 * kStep] = minus(a, c);
    v[3 * kStep] = minus(b, d);
  } else if constexpr (kN == 3) {
    dft3<kInverse, kStep>(v);
  } else if constexpr (kN == 5) {
    dft5<kInverse, kStep>(v);
  } else {
    dft_product<first_factor(kN), kN / first_factor(kN), kInverse, kStep>(v);
  }
}

}  // namespace tessera
