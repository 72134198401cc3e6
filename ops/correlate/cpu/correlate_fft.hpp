// SPDX-License-Identifier: Apache-2.0
/// The three passes of correlate's fft method on the CPU: the data a run passes to each SIMD
/// target.
///
/// Columns of real pixels are transformed slab by slab and stored transposed, one tile per plane
/// and class: rows of the tile are columns of the image. A tile is stored slab after slab, so that
/// the data a pass reads is contiguous (rows one page apart took twice the time). Slabs of a tile's
/// frequencies are transformed along x, multiplied, and transformed back at once; only wanted
/// shifts are kept. The last pass transforms their columns back.
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
  float* tile;          ///< the tile's rows for these columns, in the first slab of frequencies
  long long tile_slab;
  float* slab;  ///< kSlabRow * points samples
};

/// A slab of vertical frequencies of all planes, from which the shifts dx of all maps are made.
struct FftProducts {
  const FoldAxis* across;
  const std::vector<CorrelateSum>* sums;
  /// Tiles of the image's planes and of the other's, at this slab; null: the plane is in no sum.
  /// For an autocorrelation both are one list.
  const float* const* first;
  const float* const* second;
  float* const* maps;  ///< tiles of the maps: rows are shifts dx
  int planes;
  bool powers;   ///< an autocorrelation: each plane with itself
  float* slabs;  ///< kSlabRow * points samples for every plane of both images, and one more
};

/// A slab of shifts dx of one map, class q: added to the results of its rows dy.
struct FftResults {
  const FoldAxis* down;
  int q;
  const float* tile;
  long long tile_slab;
  float* results;  ///< the first row dy; whole slabs of columns are written
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
