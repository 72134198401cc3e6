// SPDX-License-Identifier: Apache-2.0
#include "ops/convolve/convolve_tiles.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "core/rows.hpp"
#include "ops/convolve/parts/inside_share.cuh"

namespace tessera {
namespace {

/// The smallest product of 2, 3, 5 and 7 that is not less: lengths FFT libraries are good at.
int smooth_length(int least) {
  for (int length = std::max(least, 1);; ++length) {
    int left = length;
    for (const int prime : {2, 3, 5, 7})
      while (left % prime == 0) left /= prime;
    if (left == 1) return length;
  }
}

/// 128 is FFTW's best length for real images; beyond, a third of the tile is lost to the filter.
int library_length(int filter, int output) {
  const auto tile = std::max(128U, std::bit_ceil(3U * static_cast<unsigned>(filter)));
  const int whole = smooth_length(std::max(output, 1) + filter - 1);
  return static_cast<int>(std::min(tile, static_cast<unsigned>(whole)));
}

/// Where a filter of `taps` hangs over an edge of an image of `size`, and one place where it does
/// not.
std::vector<int> places_at_edges(int taps, int anchor, int size) {
  std::vector<int> places;
  for (int x = 0; x < size; ++x)
    if (x <= anchor || x - anchor + taps > size) places.push_back(x - anchor);
  return places;
}

}  // namespace

double fft_tile_cost(const ConvolveProblem& p, TileShape shape) {
  const double samples = 1.0 * shape.across * shape.down;
  const double results = 1.0 * shape.columns(p) * shape.rows(p);
  // Measured on a Neoverse-N1 (64 KB and 1 MB of cache): how long a pass over a sample takes in
  // tiles of 64 squared floats, twice that, 128, 256 and 512 squared. Copies cost two passes.
  const double bytes = 2 * samples * bytes_of(p.sums);
  const double memory = bytes <= 40e3    ? 0.91
                        : bytes <= 80e3  ? 0.97
                        : bytes <= 300e3 ? 1
                        : bytes <= 600e3 ? 1.09
                        : bytes <= 2.2e6 ? 1.45
                                         : 1.8;
  return memory * samples / results * (std::log2(samples) + 2);
}

TileShape fft_tile_shape(const ConvolveProblem& p) {
  TileShape best;
  double least = std::numeric_limits<double>::infinity();
  // Of equals the first is taken, which is wider than high: longer rows to read and write.
  for (int down = 32; down <= 1024; down *= 2)
    for (int across = 32; across <= 1024; across *= 2) {
      const TileShape shape{across, down};
      if (shape.columns(p) < across / 4 || shape.rows(p) < down / 4) continue;
      if (const double cost = fft_tile_cost(p, shape); cost < least) {
        least = cost;
        best = shape;
      }
    }
  return best;
}

TileShape library_tile_shape(const ConvolveProblem& p) {
  return {library_length(p.filter_width, p.output.size.width),
          library_length(p.filter_height, p.output.size.height)};
}

double fft_error_factor(const ConvolveProblem& p, TileShape shape,
                        const std::vector<double>& prefix) {
  double sum = 0, squares = 0;
  for (const double weight : p.weights) {
    sum += std::abs(weight);
    squares += weight * weight;
  }
  const double single = std::numeric_limits<float>::epsilon() / 2;
  const double u = p.sums == Type::f32 ? single : std::numeric_limits<double>::epsilon() / 2;
  const double samples = 1.0 * shape.across * shape.down;
  const double transform = std::log2(samples) * (1 + 4 * std::sqrt(2.0)) * u;
  const double tile =
      std::sqrt(2 * samples) * (2 * transform * std::sqrt(squares) + (transform + 4 * u) * sum);
  const double rounding = (p.output.type == Type::f32 ? single : u) * 4 * sum;
  return std::abs(p.scale) * (tile + rounding) * largest_inside_share(p, prefix);
}

double largest_inside_share(const ConvolveProblem& p, const std::vector<double>& prefix) {
  double largest = 1;
  if (prefix.empty()) return largest;
  const Size image = p.image.size;
  for (const int row : places_at_edges(p.filter_height, p.anchor.y, image.height))
    for (const int column : places_at_edges(p.filter_width, p.anchor.x, image.width))
      largest = std::max(largest, inside_share(prefix.data(), p.filter_width, p.filter_height,
                                               column, row, image.width, image.height));
  return largest;
}

std::vector<const unsigned char*> tile_row_addresses(const ConvolveProblem& p, const Piece& in,
                                                     int plane, Rows whole) {
  std::vector<const unsigned char*> addresses;
  const Rows needed = p.needs(whole);
  addresses.reserve(static_cast<std::size_t>(needed.count()));
  for (const int row : find_rows("convolve", needed, in.rows(), p.image.size.height, p.border))
    addresses.push_back(row == kNoPixel ? nullptr : in.view.address(0, row, plane));
  return addresses;
}

}  // namespace tessera
