// SPDX-License-Identifier: Apache-2.0
/// Overlap-save: the image is cut into tiles that each make the results that no wrapped pixel
/// reaches. Shared by the FFT methods on the CPU.
#pragma once

#include <vector>

#include "ops/convolve/convolve_problem.hpp"
#include "ops/convolve/cpu/tile_rows.hpp"

namespace tessera {

/// Lengths of the transforms; belong to the method, because they change bits.
struct TileShape {
  int across = 0, down = 0;
  int columns(const ConvolveProblem& p) const { return across - p.filter_width + 1; }
  int rows(const ConvolveProblem& p) const { return down - p.filter_height + 1; }
};

/// Method fft: powers of two from 32 to 1024, the cheapest for the filter's size and the sums'
/// type; 0 by 0 when the filter is too large.
TileShape fft_tile_shape(const ConvolveProblem& problem);
/// What it costs, in passes over a sample of the output (times log2 of the tile, about).
double fft_tile_cost(const ConvolveProblem& problem, TileShape shape);
/// Method fft-library: products of 2, 3, 5 and 7, at most the whole image.
TileShape library_tile_shape(const ConvolveProblem& problem);

/// How far results of overlap-save may be from the exact ones over max|in| (docs/accuracy.md).
/// `prefix`: for border inside, which multiplies errors near the edges.
double fft_error_factor(const ConvolveProblem& problem, TileShape shape,
                        const std::vector<double>& prefix);

/// The largest factor that border inside has anywhere in the image; 1 for other borders.
double largest_inside_share(const ConvolveProblem& problem, const std::vector<double>& prefix);

/// The rows of the image that a row of tiles reads, as addresses in one plane.
std::vector<const unsigned char*> tile_row_addresses(const ConvolveProblem& problem,
                                                     const Piece& in, int plane, Rows whole);

}  // namespace tessera
