// SPDX-License-Identifier: Apache-2.0
// Butterflies of the transforms, and passes over a block of rows, once per SIMD target. Lanes are
// columns: a transform runs down the rows, and lanes interact only when a slab is
// transposed.
#if defined(TESSERA_FFT_BUTTERFLIES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_FFT_BUTTERFLIES_INL
#undef TESSERA_FFT_BUTTERFLIES_INL
#else
#define TESSERA_FFT_BUTTERFLIES_INL
#endif

#include <hwy/highway.h>

#include <type_traits>

#include "core/fft_axis.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using SlabTag = hn::CappedTag<T, kSlabColumns<T>>;

// Its constructors are written out because implicit ones are compiled without the target's
// instructions, so that Highway's cannot be inlined into them.
template <class V>
struct Complex {
  HWY_INLINE Complex() {}
  HWY_INLINE Complex(V re_, V im_) : re(re_), im(im_) {}
  V re, im;
};
template <class V>
HWY_INLINE Complex<V> plus(Complex<V> a, Complex<V> b) {
  return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)};
}
template <class V>
HWY_INLINE Complex<V> minus(Complex<V> a, Complex<V> b) {
  return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)};
}
template <class V>
HWY_INLINE Complex<V> plus_i(Complex<V> a, Complex<V> b) {  // a + i b
  return {hn::Sub(a.re, b.im), hn::Add(a.im, b.re)};
}
template <class V>
HWY_INLINE Complex<V> minus_i(Complex<V> a, Complex<V> b) {  // a - i b
  return {hn::Add(a.re, b.im), hn::Sub(a.im, b.re)};
}
template <class V>
HWY_INLINE Complex<V> times(Complex<V> a, Complex<V> w) {
  return {hn::NegMulAdd(a.im, w.im, hn::Mul(a.re, w.re)),
          hn::MulAdd(a.re, w.im, hn::Mul(a.im, w.re))};
}
template <class V>
HWY_INLINE Complex<V> times_conjugate(Complex<V> a, Complex<V> w) {
  return {hn::MulAdd(a.im, w.im, hn::Mul(a.re, w.re)),
          hn::NegMulAdd(a.re, w.im, hn::Mul(a.im, w.re))};
}

template <class V>
HWY_INLINE Complex<V> plus_times(Complex<V> a, Complex<V> b, V factor) {  // a + factor b
  return {hn::MulAdd(factor, b.re, a.re), hn::MulAdd(factor, b.im, a.im)};
}
template <class V>
HWY_INLINE V constant(double value) {
  return hn::Set(hn::DFromV<V>(), static_cast<hn::TFromV<V>>(value));
}
template <class V>
HWY_INLINE void swap(Complex<V>& a, Complex<V>& b) {
  const Complex<V> kept = a;
  a = b;
  b = kept;
}

/// Four points in place; results are frequencies 0 2 1 3.
template <class V>
HWY_INLINE void transform4(Complex<V>& a, Complex<V>& b, Complex<V>& c, Complex<V>& d) {
  const auto p0 = plus(a, c), p1 = minus(a, c), q0 = plus(b, d), q1 = minus(b, d);
  a = plus(p0, q0);
  b = minus(p0, q0);
  c = minus_i(p1, q1);
  d = plus_i(p1, q1);
}
/// The inverse, times 4.
template <class V>
HWY_INLINE void inverse4(Complex<V>& a, Complex<V>& b, Complex<V>& c, Complex<V>& d) {
  const auto p0 = plus(a, b), q0 = minus(a, b), p1 = plus(c, d), t = minus(c, d);
  a = plus(p0, p1);
  c = minus(p0, p1);
  b = plus_i(q0, t);
  d = minus_i(q0, t);
}

template <class V>
HWY_INLINE void transform(Complex<V> (&z)[4]) {
  transform4(z[0], z[1], z[2], z[3]);
}
template <class V>
HWY_INLINE void inverse(Complex<V> (&z)[4]) {
  inverse4(z[0], z[1], z[2], z[3]);
}

/// Three points; results are frequencies 0 1 2.
template <class V>
HWY_INLINE void transform(Complex<V> (&z)[3]) {
  const V half = constant<V>(-0.5), s = constant<V>(0.86602540378443864676);
  const auto p = plus(z[1], z[2]), q = minus(z[1], z[2]), m = plus_times(z[0], p, half);
  z[0] = plus(z[0], p);
  z[1] = {hn::MulAdd(s, q.im, m.re), hn::NegMulAdd(s, q.re, m.im)};
  z[2] = {hn::NegMulAdd(s, q.im, m.re), hn::MulAdd(s, q.re, m.im)};
}
/// Five points; results are frequencies 0 1 2 3 4.
template <class V>
HWY_INLINE void transform(Complex<V> (&z)[5]) {
  const V c1 = constant<V>(0.30901699437494742410), c2 = constant<V>(-0.80901699437494742410);
  const V s1 = constant<V>(0.95105651629515357212), s2 = constant<V>(0.58778525229247312917);
  const auto p1 = plus(z[1], z[4]), q1 = minus(z[1], z[4]);
  const auto p2 = plus(z[2], z[3]), q2 = minus(z[2], z[3]);
  const auto m1 = plus_times(plus_times(z[0], p1, c1), p2, c2);
  const auto m2 = plus_times(plus_times(z[0], p1, c2), p2, c1);
  const Complex<V> n1(hn::MulAdd(s1, q1.re, hn::Mul(s2, q2.re)),
                      hn::MulAdd(s1, q1.im, hn::Mul(s2, q2.im)));
  const Complex<V> n2(hn::NegMulAdd(s1, q2.re, hn::Mul(s2, q1.re)),
                      hn::NegMulAdd(s1, q2.im, hn::Mul(s2, q1.im)));
  z[0] = plus(z[0], plus(p1, p2));
  z[1] = minus_i(m1, n1);
  z[4] = plus_i(m1, n1);
  z[2] = minus_i(m2, n2);
  z[3] = plus_i(m2, n2);
}
/// The inverse of both, times 3 or 5: frequency k takes the place of frequency -k.
template <class V>
HWY_INLINE void inverse(Complex<V> (&z)[3]) {
  transform(z);
  swap(z[1], z[2]);
}
template <class V>
HWY_INLINE void inverse(Complex<V> (&z)[5]) {
  transform(z);
  swap(z[1], z[4]);
  swap(z[2], z[3]);
}

/// Eight points; results are frequencies 0 4 2 6 1 5 3 7. The factors sqrt(1/2) are part of the
/// last additions as FMAs.
template <class V>
HWY_INLINE void transform(Complex<V> (&z)[8]) {
  const V c = constant<V>(0.70710678118654752440);
  const auto d0 = minus(z[0], z[4]), d1 = minus(z[1], z[5]), d2 = minus(z[2], z[6]),
             d3 = minus(z[3], z[7]);
  z[0] = plus(z[0], z[4]);
  z[1] = plus(z[1], z[5]);
  z[2] = plus(z[2], z[6]);
  z[3] = plus(z[3], z[7]);
  transform4(z[0], z[1], z[2], z[3]);
  const V e1r = hn::Add(d1.re, d1.im), e1i = hn::Sub(d1.im, d1.re);
  const V e3r = hn::Sub(d3.im, d3.re), e3i = hn::Add(d3.im, d3.re);  // im negated
  const V q0r = hn::Add(e1r, e3r), q0i = hn::Sub(e1i, e3i);
  const V q1r = hn::Sub(e1r, e3r), q1i = hn::Add(e1i, e3i);
  const auto p0 = minus_i(d0, d2), p1 = plus_i(d0, d2);
  z[4] = {hn::MulAdd(c, q0r, p0.re), hn::MulAdd(c, q0i, p0.im)};
  z[5] = {hn::NegMulAdd(c, q0r, p0.re), hn::NegMulAdd(c, q0i, p0.im)};
  z[6] = {hn::MulAdd(c, q1i, p1.re), hn::NegMulAdd(c, q1r, p1.im)};
  z[7] = {hn::NegMulAdd(c, q1i, p1.re), hn::MulAdd(c, q1r, p1.im)};
}
/// The inverse, times 8.
template <class V>
HWY_INLINE void inverse(Complex<V> (&z)[8]) {
  const V c = constant<V>(0.70710678118654752440);
  inverse4(z[4], z[5], z[6], z[7]);
  const auto e0 = z[4], e1 = z[5], e2 = z[6], e3 = z[7];
  inverse4(z[0], z[1], z[2], z[3]);
  const V f1r = hn::Sub(e1.re, e1.im), f1i = hn::Add(e1.re, e1.im);
  const V f3r = hn::Add(e3.re, e3.im), f3i = hn::Sub(e3.re, e3.im);  // re negated
  z[4] = minus(z[0], e0);
  z[0] = plus(z[0], e0);
  z[5] = {hn::NegMulAdd(c, f1r, z[1].re), hn::NegMulAdd(c, f1i, z[1].im)};
  z[1] = {hn::MulAdd(c, f1r, z[1].re), hn::MulAdd(c, f1i, z[1].im)};
  z[6] = minus_i(z[2], e2);
  z[2] = plus_i(z[2], e2);
  z[7] = {hn::MulAdd(c, f3r, z[3].re), hn::NegMulAdd(c, f3i, z[3].im)};
  z[3] = {hn::NegMulAdd(c, f3r, z[3].re), hn::MulAdd(c, f3i, z[3].im)};
}

/// Rows of complex samples: the position of row 0, and the steps to the next row and to the
/// imaginary parts. Constant steps become part of the instructions.
template <class T, class Row, class Imaginary>
struct Lines {
  T* data;
  Row row;
  Imaginary imaginary;
};
template <long long k>
using Step = std::integral_constant<long long, k>;
template <class T>
using PixelLines = Lines<T, long long, long long>;
template <class T>
using TileLines = Lines<T, long long, Step<kSlabColumns<T>>>;
template <class T>
using SlabLines = Lines<T, Step<kSlabRow<T>>, Step<kSlabColumns<T>>>;

template <class T>
HWY_INLINE Complex<hn::Vec<SlabTag<T>>> load(const T* from, long long imaginary) {
  const SlabTag<T> d;
  return {hn::LoadU(d, from), hn::LoadU(d, from + imaginary)};
}
template <class T>
HWY_INLINE void store(Complex<hn::Vec<SlabTag<T>>> z, T* to, long long imaginary) {
  const SlabTag<T> d;
  hn::StoreU(z.re, d, to);
  hn::StoreU(z.im, d, to + imaginary);
}

/// The factors of one block, in every lane.
template <int R, class T>
struct Factors {
  using V = hn::Vec<SlabTag<T>>;
  HWY_INLINE explicit Factors(const T* twiddles) {
    const SlabTag<T> d;
    for (int q = 1; q < R; ++q)
      w[q] = {hn::Set(d, twiddles[2 * q - 2]), hn::Set(d, twiddles[2 * q - 1])};
  }
  HWY_INLINE void multiply(Complex<V> (&z)[R]) const {
    for (int q = 1; q < R; ++q) z[q] = times(z[q], w[q]);
  }
  HWY_INLINE void multiply_conjugates(Complex<V> (&z)[R]) const {
    for (int q = 1; q < R; ++q) z[q] = times_conjugate(z[q], w[q]);
  }
  Complex<V> w[R];
};
/// The factors of the first pass: none.
struct NoFactors {
  template <class Z>
  HWY_INLINE void multiply(Z&) const {}
  template <class Z>
  HWY_INLINE void multiply_conjugates(Z&) const {}
};

/// Blocks of `R` parts, `step` rows each: the work on one, for all columns of the slab.
template <int R, class T, class F, class A, class B, class C, class D>
HWY_INLINE void forward_block(const F& factors, long long first, long long step,
                              Lines<T, A, B> from, Lines<T, C, D> to) {
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(SlabTag<T>()));
  const T* in[R];
  T* out[R];
  for (int q = 0; q < R; ++q) {
    in[q] = from.data + (first + q * step) * from.row;
    out[q] = to.data + (first + q * step) * to.row;
  }
  for (long long row = 0; row < step; ++row) {
    HWY_UNROLL(4)
    for (int column = 0; column < kSlabColumns<T>; column += kLanes) {
      Complex<hn::Vec<SlabTag<T>>> z[R];
      for (int q = 0; q < R; ++q) z[q] = load(in[q] + column, from.imaginary);
      factors.multiply(z);
      transform(z);
      for (int q = 0; q < R; ++q) store(z[q], out[q] + column, to.imaginary);
    }
    for (int q = 0; q < R; ++q) {
      in[q] += from.row;
      out[q] += to.row;
    }
  }
}
template <int R, class T, class F, class A, class B, class C, class D>
HWY_INLINE void inverse_block(const F& factors, long long first, long long step,
                              Lines<T, A, B> from, Lines<T, C, D> to) {
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(SlabTag<T>()));
  const T* in[R];
  T* out[R];
  for (int q = 0; q < R; ++q) {
    in[q] = from.data + (first + q * step) * from.row;
    out[q] = to.data + (first + q * step) * to.row;
  }
  for (long long row = 0; row < step; ++row) {
    HWY_UNROLL(4)
    for (int column = 0; column < kSlabColumns<T>; column += kLanes) {
      Complex<hn::Vec<SlabTag<T>>> z[R];
      for (int q = 0; q < R; ++q) z[q] = load(in[q] + column, from.imaginary);
      inverse(z);
      factors.multiply_conjugates(z);
      for (int q = 0; q < R; ++q) store(z[q], out[q] + column, to.imaginary);
    }
    for (int q = 0; q < R; ++q) {
      in[q] += from.row;
      out[q] += to.row;
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
