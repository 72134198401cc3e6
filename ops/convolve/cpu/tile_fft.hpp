// SPDX-License-Identifier: Apache-2.0
/// Transforms of pairs of tiles: the data the plan prepares and the data a run passes on. Small
/// tiles fit a thread's caches and are filtered whole; large ones are filtered slab by slab, by all
/// threads.
///
/// Two real tiles are the real and the imaginary part of one complex tile; because the filter is
/// real, the product keeps them apart. Spectra stay in the order in which the passes leave them
/// (bit-reversed along both axes), and the filter's spectrum has the same order.
#pragma once

#include "core/fft_axis.hpp"

namespace tessera {

/// A pair of tiles, `across` by `down` samples each, and the memory to transform it in.
template <class T>
struct FftPair {
  const FftAxis<T>* across;
  const FftAxis<T>* down;
  const T* spectrum;             ///< the filter's: slabs of `across` rows of kSlabRow samples
  T* pixels;                     ///< rows of both tiles; results are written over them
  long long pixels_row, second;  ///< distances to the next row and to the other tile
  int columns, rows;  ///< rows of the result that are wanted; for a filter, rows that are not zero
  T* tile;            ///< fft_tile_samples
  T* slab;            ///< fft_slab_samples
};

/// A row of the tile is slightly longer than a column of a spectrum: rows a power of two apart
/// would share few sets of the caches.
template <class T>
constexpr long long fft_tile_row(int down) {
  return 2LL * down + kSlabRow<T>;
}
template <class T>
constexpr long long fft_tile_samples(int across, int down) {
  return across * fft_tile_row<T>(down);
}
template <class T>
constexpr long long fft_slab_samples(int across, int down) {
  return 1LL * kSlabRow<T> * (across > down ? across : down);
}

/// A pair of large tiles. The tile is stored slab after slab, kSlabColumns vertical frequencies
/// each: `across` rows of kSlabRow samples, so that the data a step reads or writes is contiguous.
template <class T>
struct LargeFftPair {
  const FftAxis<T>* across;
  const FftAxis<T>* down;
  T* tile;  ///< across * down complex samples

  long long slab_samples() const { return 1LL * kSlabRow<T> * across->length; }
  T* slab_of(int index) const { return tile + index * slab_samples(); }
};

/// The three steps of filtering a pair of large tiles, each for one slab. A slab of columns has
/// `down` rows of kSlabRow samples: kSlabColumns of one tile, then as many of the other.
template <class T>
struct LargeTileFft {
  /// Transforms the columns from x on in place, and stores them transposed in the tile.
  void (*columns)(const LargeFftPair<T>&, int x, T* slab);
  /// Transforms slab `index` of vertical frequencies along x, multiplies by the filter's spectrum
  /// and transforms back.
  void (*filter)(const LargeFftPair<T>&, int index, const T* spectrum);
  /// Transforms the columns from x on back into pixels; false: a pixel of the first `rows` is not
  /// finite.
  bool (*results)(const LargeFftPair<T>&, int x, int rows, T* slab);
  /// For the filter's own spectrum: transforms slab `index` along x, conjugated, in the tile.
  void (*spectrum)(const LargeFftPair<T>&, int index);
};

/// The arithmetic for one SIMD target.
struct TileFft {
  int most_radix;  ///< the table for FftAxis
  /// Filters both tiles; false: a result is not finite.
  bool (*filter_f32)(const FftPair<float>&);
  bool (*filter_f64)(const FftPair<double>&);
  /// The spectrum of the pixels. Only filters need it, so it is always in double.
  void (*spectrum)(const FftPair<double>&, double* spectrum);
  LargeTileFft<float> large_f32;
  LargeTileFft<double> large_f64;
};

/// For this CPU's best (or the forced) SIMD target.
TileFft tile_fft();

}  // namespace tessera
