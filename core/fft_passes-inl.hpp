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

/// Blocks [first, end) of a pass.
struct Blocks {
  int first, end;
};

/// Radix `R`, blocks of parts of `step` rows, with their factors.
template <int R, class T>
HWY_NOINLINE void forward_pass(const T* twiddles, Blocks blocks, long long step,
                               SlabLines<T> slab) {
  for (int b = blocks.first; b < blocks.end; ++b)
    forward_block<R>(Factors<R, T>(twiddles + 2LL * (R - 1) * b), b * R * step, step, slab, slab);
}
template <int R, class T>
HWY_NOINLINE void inverse_pass(const T* twiddles, Blocks blocks, long long step,
                               SlabLines<T> slab) {
  for (int b = blocks.first; b < blocks.end; ++b)
    inverse_block<R>(Factors<R, T>(twiddles + 2LL * (R - 1) * b), b * R * step, step, slab, slab);
}
template <int R, class T, class From>
HWY_NOINLINE void first_pass(long long step, From from, SlabLines<T> slab) {
  forward_block<R>(NoFactors(), 0, step, from, slab);
}
template <int R, class T, class To>
HWY_NOINLINE void last_inverse_pass(long long step, SlabLines<T> slab, To to) {
  inverse_block<R>(NoFactors(), 0, step, slab, to);
}

/// Positions of a tile's rows, and of the slabs of columns in a row.
template <class T>
struct TileSteps {
  long long row, slab = kSlabRow<T>;
};

/// The last pass of a forward transform, its rows written as columns of the tile.
template <int R, class T>
HWY_NOINLINE void turning_pass(const T* twiddles, Blocks blocks, SlabLines<T> slab, T* tile,
                               TileSteps<T> steps) {
  const SlabTag<T> d;
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(SlabTag<T>()));
  constexpr int kB = kBlock<T>;
  for (int b = blocks.first; b < blocks.end; ++b) {
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
HWY_NOINLINE void inverse_turning_pass(const T* twiddles, Blocks blocks, const T* tile,
                                       TileSteps<T> steps, SlabLines<T> slab) {
  const SlabTag<T> d;
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(SlabTag<T>()));
  constexpr int kB = kBlock<T>;
  for (int b = blocks.first; b < blocks.end; ++b) {
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
HWY_NOINLINE void multiplying_pass(const T* twiddles, Blocks blocks, SlabLines<T> slab,
                                   const T* spectrum) {
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(SlabTag<T>()));
  for (int b = blocks.first; b < blocks.end; ++b) {
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
HWY_NOINLINE void taken_pass(const T* twiddles, Blocks blocks, SlabLines<T> slab, Take take) {
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(SlabTag<T>()));
  for (int b = blocks.first; b < blocks.end; ++b) {
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
HWY_NOINLINE void given_pass(const T* twiddles, Blocks blocks, Give give, SlabLines<T> slab) {
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(SlabTag<T>()));
  for (int b = blocks.first; b < blocks.end; ++b) {
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

/// Calls `run` with std::integral_constant 8 or 4: the radices of all passes except the first.
template <class Run>
HWY_INLINE void with_radix(int radix, Run run) {
  if (radix == 8)
    run(std::integral_constant<int, 8>());
  else
    run(std::integral_constant<int, 4>());
}
/// The first pass may also have 3 or 5.
template <class Run>
HWY_INLINE void with_first_radix(int radix, Run run) {
  if (radix == 3)
    run(std::integral_constant<int, 3>());
  else if (radix == 5)
    run(std::integral_constant<int, 5>());
  else
    with_radix(radix, run);
}

/// Rows of a slab that fit in the first-level cache with room to spare, 32 KB: longer slabs are
/// processed block by block, each block through all passes, which does not change a bit.
constexpr int kCachedRows = 256;

/// One axis: its passes over one slab.
template <class T>
class AxisRun {
 public:
  HWY_INLINE AxisRun(const FftAxis<T>& axis, T* slab) : axis_(axis), slab_{slab, {}, {}} {}

  /// All passes except the last.
  template <class From>
  void forward(From from) const {
    forward_first(from);
    walk<Way::forward>(1, {0, radix(0)}, [](Blocks) {});
  }
  void forward_last() const {
    with_radix(radix(last()), [&](auto r) {
      forward_pass<r()>(factors(last()), all_of_last(), pass(last()).step, slab_);
    });
  }
  template <class Take>
  void forward_last_to(Take take) const {
    with_radix(radix(last()),
               [&](auto r) { taken_pass<r()>(factors(last()), all_of_last(), slab_, take); });
  }
  template <class Give>
  void inverse_first_of(Give give) const {
    with_radix(radix(last()),
               [&](auto r) { given_pass<r()>(factors(last()), all_of_last(), give, slab_); });
  }
  /// All passes except the first.
  template <class To>
  void inverse(To to) const {
    walk<Way::inverse>(1, {0, radix(0)}, [](Blocks) {});
    inverse_last(to);
  }

  /// All passes, the rows of the last one written as columns of the tile.
  template <class From>
  void forward_turned(From from, T* tile, TileSteps<T> steps) const {
    forward_first(from);
    walk<Way::forward>(1, {0, radix(0)}, [&](Blocks blocks) {
      with_radix(radix(last()),
                 [&](auto r) { turning_pass<r()>(factors(last()), blocks, slab_, tile, steps); });
    });
  }
  /// The inverse of that.
  template <class To>
  void inverse_turned(const T* tile, TileSteps<T> steps, To to) const {
    walk<Way::inverse>(1, {0, radix(0)}, [&](Blocks blocks) {
      with_radix(radix(last()), [&](auto r) {
        inverse_turning_pass<r()>(factors(last()), blocks, tile, steps, slab_);
      });
    });
    inverse_last(to);
  }
  /// The forward transform, times the spectrum, and the inverse transform.
  template <class L>
  void filter(L lines, const T* spectrum) const {
    forward_first(lines);
    walk<Way::both>(1, {0, radix(0)}, [&](Blocks blocks) {
      with_radix(radix(last()),
                 [&](auto r) { multiplying_pass<r()>(factors(last()), blocks, slab_, spectrum); });
    });
    inverse_last(lines);
  }

 private:
  enum class Way { forward, inverse, both };

  template <class From>
  void forward_first(From from) const {
    with_first_radix(radix(0), [&](auto r) { first_pass<r()>(pass(0).step, from, slab_); });
  }
  template <class To>
  void inverse_last(To to) const {
    with_first_radix(radix(0), [&](auto r) { last_inverse_pass<r()>(pass(0).step, slab_, to); });
  }
  void forward_one(int p, Blocks blocks) const {
    with_radix(radix(p),
               [&](auto r) { forward_pass<r()>(factors(p), blocks, pass(p).step, slab_); });
  }
  void inverse_one(int p, Blocks blocks) const {
    with_radix(radix(p),
               [&](auto r) { inverse_pass<r()>(factors(p), blocks, pass(p).step, slab_); });
  }

  /// Passes from p on over these blocks, forward and inverse; `middle` does the last one over the
  /// blocks it is given.
  template <Way kWay, class Middle>
  void walk(int p, Blocks blocks, Middle middle) const {
    const long long rows = 1LL * axis_.length / pass(p).blocks;
    if (p == last() || (blocks.end - blocks.first) * rows <= kCachedRows)
      return walk_cached<kWay>(p, blocks, middle);
    for (int b = blocks.first; b < blocks.end; ++b) {
      const Blocks one{b, b + 1};
      if (rows <= kCachedRows) {
        walk_cached<kWay>(p, one, middle);
        continue;
      }
      if constexpr (kWay != Way::inverse) forward_one(p, one);
      walk<kWay>(p + 1, {b * radix(p), (b + 1) * radix(p)}, middle);
      if constexpr (kWay != Way::forward) inverse_one(p, one);
    }
  }
  template <Way kWay, class Middle>
  void walk_cached(int p, Blocks blocks, Middle middle) const {
    const auto of_pass = [&](int k) {
      const int split = pass(k).blocks / pass(p).blocks;
      return Blocks{blocks.first * split, blocks.end * split};
    };
    if constexpr (kWay != Way::inverse)
      for (int k = p; k < last(); ++k) forward_one(k, of_pass(k));
    middle(of_pass(last()));
    if constexpr (kWay != Way::forward)
      for (int k = last() - 1; k >= p; --k) inverse_one(k, of_pass(k));
  }

  int last() const { return static_cast<int>(axis_.passes.size()) - 1; }
  Blocks all_of_last() const { return {0, pass(last()).blocks}; }
  const FftPass& pass(int p) const { return axis_.passes[static_cast<std::size_t>(p)]; }
  int radix(int p) const { return pass(p).radix; }
  const T* factors(int p) const { return axis_.twiddles.data() + pass(p).twiddles; }

  const FftAxis<T>& axis_;
  SlabLines<T> slab_;
};

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
