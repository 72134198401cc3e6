// SPDX-License-Identifier: Apache-2.0
// The passes of a transform down the rows of a slab, once per SIMD target: plain, transposed into
// (or out of) columns of a tile, or with a product in between.
#if defined(TESSERA_FFT_PASSES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_FFT_PASSES_INL
#undef TESSERA_FFT_PASSES_INL
#else
#define TESSERA_FFT_PASSES_INL
#endif

#include "core/fft_butterflies-inl.hpp"
#include "core/turn-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Eight points with their factors need 30 registers; AVX2 has 16.
constexpr int kMostRadix = HWY_ARCH_X86 && HWY_TARGET >= HWY_AVX2 ? 4 : 8;

/// A pass over the rows of a slab.
struct Pass {
  int blocks;
  long long step;  ///< rows of a block's part
  long long twiddles;
};

/// Radix `R`, blocks 0, 1, … with their factors.
template <int R, class T>
HWY_NOINLINE void forward_pass(const T* twiddles, Pass pass, SlabLines<T> slab) {
  for (int b = 0; b < pass.blocks; ++b)
    forward_block<R>(Factors<R, T>(twiddles + 2LL * (R - 1) * b), b * R * pass.step, pass.step,
                     slab, slab);
}
template <int R, class T>
HWY_NOINLINE void inverse_pass(const T* twiddles, Pass pass, SlabLines<T> slab) {
  for (int b = 0; b < pass.blocks; ++b)
    inverse_block<R>(Factors<R, T>(twiddles + 2LL * (R - 1) * b), b * R * pass.step, pass.step,
                     slab, slab);
}
template <int R, class T, class From>
HWY_NOINLINE void first_pass(Pass pass, From from, SlabLines<T> slab) {
  forward_block<R>(NoFactors(), 0, pass.step, from, slab);
}
template <int R, class T, class To>
HWY_NOINLINE void last_inverse_pass(Pass pass, SlabLines<T> slab, To to) {
  inverse_block<R>(NoFactors(), 0, pass.step, slab, to);
}

/// Positions of a tile's rows, and of the slabs of columns in a row.
template <class T>
struct TileSteps {
  long long row, slab = kSlabRow<T>;
};

/// The last pass of a forward transform, its rows written as columns of the tile.
template <int R, class T>
HWY_NOINLINE void turning_pass(const T* twiddles, Pass pass, SlabLines<T> slab, T* tile,
                               TileSteps<T> steps) {
  const SlabTag<T> d;
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(SlabTag<T>()));
  constexpr int kB = kBlock<T>;
  for (int b = 0; b < pass.blocks; ++b) {
    const Factors<R, T> factors(twiddles + 2LL * (R - 1) * b);
    const int frequency = b * R;
    T* rows = slab.data + frequency * kSlabRow<T>;
    T* column_of_tile =
        tile + frequency / kSlabColumns<T> * steps.slab + frequency % kSlabColumns<T>;
    for (int column = 0; column < kSlabColumns<T>; column += kLanes) {
      Complex<hn::Vec<SlabTag<T>>> z[R];
      for (int q = 0; q < R; ++q) z[q] = load(rows + q * kSlabRow<T> + column, kSlabColumns<T>);
      factors.multiply(z);
      transform(z);
      for (int q = 0; q < R; q += kB) {
        hn::Vec<SlabTag<T>> re[kB], im[kB];
        for (int i = 0; i < kB; ++i) re[i] = z[q + i].re, im[i] = z[q + i].im;
        T* to = column_of_tile + column * steps.row + q;
        store_turned(d, re, to, steps.row);
        store_turned(d, im, to + kSlabColumns<T>, steps.row);
      }
    }
  }
}
/// The first pass of an inverse transform, its rows read from columns of the tile.
template <int R, class T>
HWY_NOINLINE void inverse_turning_pass(const T* twiddles, Pass pass, const T* tile,
                                       TileSteps<T> steps, SlabLines<T> slab) {
  const SlabTag<T> d;
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(SlabTag<T>()));
  constexpr int kB = kBlock<T>;
  for (int b = 0; b < pass.blocks; ++b) {
    const Factors<R, T> factors(twiddles + 2LL * (R - 1) * b);
    const int frequency = b * R;
    T* rows = slab.data + frequency * kSlabRow<T>;
    const T* column_of_tile =
        tile + frequency / kSlabColumns<T> * steps.slab + frequency % kSlabColumns<T>;
    for (int column = 0; column < kSlabColumns<T>; column += kLanes) {
      Complex<hn::Vec<SlabTag<T>>> z[R];
      for (int q = 0; q < R; q += kB) {
        hn::Vec<SlabTag<T>> re[kB], im[kB];
        const T* from = column_of_tile + column * steps.row + q;
        load_turned(d, from, steps.row, re);
        load_turned(d, from + kSlabColumns<T>, steps.row, im);
        for (int i = 0; i < kB; ++i) z[q + i] = {re[i], im[i]};
      }
      inverse(z);
      factors.multiply_conjugates(z);
      for (int q = 0; q < R; ++q) store(z[q], rows + q * kSlabRow<T> + column, kSlabColumns<T>);
    }
  }
}

/// The last pass forward, the product and the first pass back, in registers.
template <int R, class T>
HWY_NOINLINE void multiplying_pass(const T* twiddles, Pass pass, SlabLines<T> slab,
                                   const T* spectrum) {
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(SlabTag<T>()));
  for (int b = 0; b < pass.blocks; ++b) {
    const Factors<R, T> factors(twiddles + 2LL * (R - 1) * b);
    const long long at = 1LL * b * R * kSlabRow<T>;
    T* rows = slab.data + at;
    for (int column = 0; column < kSlabColumns<T>; column += kLanes) {
      Complex<hn::Vec<SlabTag<T>>> z[R];
      for (int q = 0; q < R; ++q) z[q] = load(rows + q * kSlabRow<T> + column, kSlabColumns<T>);
      factors.multiply(z);
      transform(z);
      for (int q = 0; q < R; ++q)
        z[q] = times(z[q], load(spectrum + at + q * kSlabRow<T> + column, kSlabColumns<T>));
      inverse(z);
      factors.multiply_conjugates(z);
      for (int q = 0; q < R; ++q) store(z[q], rows + q * kSlabRow<T> + column, kSlabColumns<T>);
    }
  }
}

/// The last pass forward, its results passed to take(row, column, z) instead of being stored.
template <int R, class T, class Take>
HWY_NOINLINE void taken_pass(const T* twiddles, Pass pass, SlabLines<T> slab, Take take) {
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(SlabTag<T>()));
  for (int b = 0; b < pass.blocks; ++b) {
    const Factors<R, T> factors(twiddles + 2LL * (R - 1) * b);
    const T* rows = slab.data + 1LL * b * R * kSlabRow<T>;
    for (int column = 0; column < kSlabColumns<T>; column += kLanes) {
      Complex<hn::Vec<SlabTag<T>>> z[R];
      for (int q = 0; q < R; ++q) z[q] = load(rows + q * kSlabRow<T> + column, kSlabColumns<T>);
      factors.multiply(z);
      transform(z);
      for (int q = 0; q < R; ++q) take(b * R + q, column, z[q]);
    }
  }
}
/// The first inverse pass over the values of give(row, column).
template <int R, class T, class Give>
HWY_NOINLINE void given_pass(const T* twiddles, Pass pass, Give give, SlabLines<T> slab) {
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(SlabTag<T>()));
  for (int b = 0; b < pass.blocks; ++b) {
    const Factors<R, T> factors(twiddles + 2LL * (R - 1) * b);
    T* rows = slab.data + 1LL * b * R * kSlabRow<T>;
    for (int column = 0; column < kSlabColumns<T>; column += kLanes) {
      Complex<hn::Vec<SlabTag<T>>> z[R];
      for (int q = 0; q < R; ++q) z[q] = give(b * R + q, column);
      inverse(z);
      factors.multiply_conjugates(z);
      for (int q = 0; q < R; ++q) store(z[q], rows + q * kSlabRow<T> + column, kSlabColumns<T>);
    }
  }
}

/// Calls `run` with std::integral_constant 8 or 4: the radices there are.
template <class Run>
HWY_INLINE void with_radix(int radix, Run run) {
  if (radix == 8)
    run(std::integral_constant<int, 8>());
  else
    run(std::integral_constant<int, 4>());
}

/// One axis: its passes one after the other, over one slab.
template <class T>
class AxisRun {
 public:
  HWY_INLINE AxisRun(const FftAxis<T>& axis, T* slab) : axis_(axis), slab_{slab, {}, {}} {
    int blocks = 1;
    long long twiddles = 0;
    for (const int radix : axis.radices) {
      passes_[count_++] = {blocks, axis.length / blocks / radix, twiddles};
      if (blocks > 1) twiddles += 2LL * blocks * (radix - 1);
      blocks *= radix;
    }
  }

  /// All passes except the last.
  template <class From>
  void forward(From from) const {
    with_radix(radix(0), [&](auto r) { first_pass<r()>(passes_[0], from, slab_); });
    for (int p = 1; p < count_ - 1; ++p)
      with_radix(radix(p), [&](auto r) { forward_pass<r()>(factors(p), passes_[p], slab_); });
  }
  void forward_last() const {
    with_radix(radix(last()),
               [&](auto r) { forward_pass<r()>(factors(last()), passes_[last()], slab_); });
  }
  void forward_last_turned(T* tile, TileSteps<T> steps) const {
    with_radix(radix(last()), [&](auto r) {
      turning_pass<r()>(factors(last()), passes_[last()], slab_, tile, steps);
    });
  }
  void multiply(const T* spectrum) const {
    with_radix(radix(last()), [&](auto r) {
      multiplying_pass<r()>(factors(last()), passes_[last()], slab_, spectrum);
    });
  }
  void inverse_first_turned(const T* tile, TileSteps<T> steps) const {
    with_radix(radix(last()), [&](auto r) {
      inverse_turning_pass<r()>(factors(last()), passes_[last()], tile, steps, slab_);
    });
  }
  template <class Take>
  void forward_last_to(Take take) const {
    with_radix(radix(last()),
               [&](auto r) { taken_pass<r()>(factors(last()), passes_[last()], slab_, take); });
  }
  template <class Give>
  void inverse_first_of(Give give) const {
    with_radix(radix(last()),
               [&](auto r) { given_pass<r()>(factors(last()), passes_[last()], give, slab_); });
  }
  /// All passes except the first.
  template <class To>
  void inverse(To to) const {
    for (int p = count_ - 2; p > 0; --p)
      with_radix(radix(p), [&](auto r) { inverse_pass<r()>(factors(p), passes_[p], slab_); });
    with_radix(radix(0), [&](auto r) { last_inverse_pass<r()>(passes_[0], slab_, to); });
  }

 private:
  int last() const { return count_ - 1; }
  int radix(int pass) const { return axis_.radices[static_cast<std::size_t>(pass)]; }
  const T* factors(int pass) const { return axis_.twiddles.data() + passes_[pass].twiddles; }

  const FftAxis<T>& axis_;
  SlabLines<T> slab_;
  Pass passes_[8];
  int count_ = 0;
};

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
