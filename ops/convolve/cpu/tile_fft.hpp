// SPDX-License-Identifier: Apache-2.0
/// Transforms of pairs of tiles: what the plan prepares and what a run hands over.
///
/// Two real tiles are the real and the imaginary part of one complex tile; because the filter is
/// real, they come out of the product as they went in. Spectra stay in the order in which the
/// passes leave them (bit-reversed along both axes): the filter's has the same.
#pragma once

#include "core/fft_axis.hpp"

namespace tessera {

/// A pair of tiles, `across` by `down` samples each, and the memory to transform it in.
template <class T>
struct FftPair {
  const FftAxis<T>* across;
  const FftAxis<T>* down;
  const T* spectrum;             ///< of the filter: slabs of `across` rows of kSlabRow samples
  T* pixels;                     ///< rows of both tiles; results are written over them
  long long pixels_row, second;  ///< steps to the next row and to the other tile
  int columns, rows;  ///< of the result that are wanted; of a filter's pixels that are not zero
  T* tile;            ///< fft_tile_samples
  T* slab;            ///< fft_slab_samples
};

/// A row of the tile is as long as a spectrum's column, and a bit: rows a power of two apart would
/// share few sets of the caches.
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

/// The arithmetic for one SIMD target.
struct TileFft {
  int most_radix;  ///< what FftAxis needs
  /// Filters both tiles; false: some result is not finite.
  bool (*filter_f32)(const FftPair<float>&);
  bool (*filter_f64)(const FftPair<double>&);
  /// The spectrum of the pixels; only filters need it, so it is always in double.
  void (*spectrum)(const FftPair<double>&, double* spectrum);
};

/// For this CPU's best (or the forced) SIMD target.
TileFft tile_fft();

}  // namespace tessera
