// SPDX-License-Identifier: Apache-2.0
/// The three passes of correlate's fft method on the CPU: what a run hands to each SIMD target.
///
/// Columns of real pixels are transformed slab by slab and stored turned, one tile a plane and
/// class: rows of the tile are columns of the image. A tile is slab after slab, so that what a pass
/// reads lies together (rows a page apart took twice the time). Slabs of a tile's frequencies are
/// transformed along x, multiplied, and transformed back at once, only wanted shifts being kept.
/// The last pass transforms their columns back.
#pragma once

#include <vector>

#include "ops/correlate/correlate_problem.hpp"
#include "ops/correlate/cpu/column_slabs.hpp"
#include "ops/correlate/cpu/fold_axis.hpp"

namespace tessera {

/// A slab of columns of one plane, class q of the vertical frequencies.
struct FftColumns {
  const FoldAxis* down;
  int q;
  const float* pixels;  ///< rows of kSlab
  float* tile;          ///< its rows for these columns, of the first slab of frequencies
  long long tile_slab;
  float* slab;  ///< kSlabRow * points samples
};

/// A slab of vertical frequencies of all planes: to the shifts dx of all maps.
struct FftProducts {
  const FoldAxis* across;
  const std::vector<CorrelateSum>* sums;
  /// Tiles of the image's planes and of the other's, at this slab; null: in no sum. For an
  /// autocorrelation both are one list.
  const float* const* first;
  const float* const* second;
  float* const* maps;  ///< tiles of the maps: rows are shifts dx
  int planes;
  bool powers;   ///< an autocorrelation of planes with themselves
  float* slabs;  ///< kSlabRow * points samples for every plane of both images, and one more
};

/// A slab of shifts dx of one map, class q: added to the results of its rows dy.
struct FftResults {
  const FoldAxis* down;
  int q;
  const float* tile;
  long long tile_slab;
  float* results;  ///< of the first row dy; written for a whole slab of columns
  long long row;
  float* slab;
};

struct CorrelateFft {
  int most_radix;
  void (*columns)(const FftColumns&);
  void (*products)(const FftProducts&);
  void (*results)(const FftResults&);
};

/// For this CPU's best (or the forced) SIMD target.
CorrelateFft correlate_fft();

}  // namespace tessera
