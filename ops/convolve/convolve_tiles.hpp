// SPDX-License-Identifier: Apache-2.0
/// Overlap-save: the image is cut into tiles; each makes the results that no wrapped pixel reaches.
/// Shared by the FFT methods.
#pragma once

#include <vector>

#include "ops/convolve/convolve_problem.hpp"
#include "ops/convolve/cpu/tile_rows.hpp"
#include "ops/convolve/parts/inside_share.cuh"

namespace tessera {

/// Lengths of the transforms; belong to the method, because they change bits.
struct TileShape {
  int across = 0, down = 0;
  bool large = false;  ///< all threads filter such a tile together, slab by slab
  int columns(const ConvolveProblem& p) const { return across - p.filter_width + 1; }
  int rows(const ConvolveProblem& p) const { return down - p.filter_height + 1; }
};

/// Method fft: powers of two from 32 to 1024, the cheapest for the filter's size and the sums'
/// type. Filters with a side above 769 have large tiles, with sides of 1, 3 or 5 times a power of
/// two, the cheapest for the image too: tiles of 256 MB, or more if the filter needs more.
TileShape fft_tile_shape(const ConvolveProblem& problem);
/// Its cost in passes over a sample of the output (times about log2 of the tile).
double fft_tile_cost(const ConvolveProblem& problem, TileShape shape);
/// Results that pairs of tiles make, including those outside the image.
double tile_results(const ConvolveProblem& problem, TileShape shape);

/// Largest error of overlap-save over max|in| (docs/accuracy.md).
/// `prefix`: for border inside, which multiplies errors near the edges.
double fft_error_factor(const ConvolveProblem& problem, TileShape shape,
                        const std::vector<Twofold>& prefix);

/// The largest factor that border inside has anywhere in the image; 1 for other borders.
double largest_inside_share(const ConvolveProblem& problem, const std::vector<Twofold>& prefix);

}  // namespace tessera
