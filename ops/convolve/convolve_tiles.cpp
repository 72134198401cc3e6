// SPDX-License-Identifier: Apache-2.0
#include "ops/convolve/convolve_tiles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/rows.hpp"
#include "ops/convolve/parts/inside_share.cuh"

namespace tessera {
namespace {

/// The places where a filter of `taps` reaches over an edge of an image of `size`, and one where it
/// does not.
std::vector<int> places_at_edges(int taps, int anchor, int size) {
  std::vector<int> places;
  for (int x = 0; x < size; ++x)
    if (x <= anchor || x - anchor + taps > size) places.push_back(x - anchor);
  return places;
}

/// Lengths of transforms, up to one that makes all results. Lengths that make few results are left
/// out, and so are lengths much longer than the filter: they gain little and make strips high.
std::vector<int> large_lengths(int filter, int results) {
  std::vector<int> lengths;
  const long long whole = 1LL * filter + std::max(results, 1) - 1;
  const long long most =
      std::min<long long>(std::max(64LL, 8LL * filter), std::numeric_limits<int>::max());
  for (const long long odd : {1, 3, 5})
    for (long long length = 16 * odd; length <= most; length *= 2) {
      if (length >= whole || length - filter + 1 >= length / 4)
        lengths.push_back(static_cast<int>(length));
      if (length >= whole) break;
    }
  return lengths;
}

TileShape large_tile_shape(const ConvolveProblem& p) {
  constexpr double kMostBytes = 256.0 * (1 << 20);
  TileShape best;
  std::pair least{std::numeric_limits<double>::infinity(), 0.0};
  for (const int down : large_lengths(p.filter_height, p.output.size.height))
    for (const int across : large_lengths(p.filter_width, (p.output.size.width + 1) / 2)) {
      const TileShape shape{across, down, true};
      const double bytes = 2.0 * across * down * bytes_of(p.sums);
      // Shapes that take too much memory are ordered by memory first.
      const std::pair cost{std::max(bytes, kMostBytes),
                           fft_tile_cost(p, shape) * tile_results(p, shape)};
      if (cost < least) {
        least = cost;
        best = shape;
      }
    }
  return best;
}

}  // namespace

double fft_tile_cost(const ConvolveProblem& p, TileShape shape) {
  const double samples = 1.0 * shape.across * shape.down;
  const double results = 1.0 * shape.columns(p) * shape.rows(p);
  // Measured on a Neoverse-N1 (64 KB and 1 MB of cache): how long a pass over a sample takes in
  // tiles of 64 squared floats, twice that, 128, 256 and 512 squared. Copies cost two passes.
  // Large tiles, 3072x16 to 4096x6144, take 2.3 to 2.7 times as long.
  const double bytes = 2 * samples * bytes_of(p.sums);
  const double memory = shape.large      ? 2.6
                        : bytes <= 40e3  ? 0.91
                        : bytes <= 80e3  ? 0.97
                        : bytes <= 300e3 ? 1
                        : bytes <= 600e3 ? 1.09
                        : bytes <= 2.2e6 ? 1.45
                                         : 1.8;
  return memory * samples / results * (std::log2(samples) + 2);
}

double tile_results(const ConvolveProblem& p, TileShape shape) {
  const auto filled = [](double size, double tile) { return std::ceil(size / tile) * tile; };
  return filled(p.output.size.width, 2 * shape.columns(p)) *
         filled(p.output.size.height, shape.rows(p)) * p.output.size.channels *
         p.output.size.planes;
}

TileShape fft_tile_shape(const ConvolveProblem& p) {
  TileShape best;
  double least = std::numeric_limits<double>::infinity();
  // The first of equals is taken, which is wider than high: longer rows to read and write.
  for (int down = 32; down <= 1024; down *= 2)
    for (int across = 32; across <= 1024; across *= 2) {
      const TileShape shape{across, down};
      if (shape.columns(p) < across / 4 || shape.rows(p) < down / 4) continue;
      if (const double cost = fft_tile_cost(p, shape); cost < least) {
        least = cost;
        best = shape;
      }
    }
  return best.across > 0 ? best : large_tile_shape(p);
}

double fft_error_factor(const ConvolveProblem& p, TileShape shape,
                        const std::vector<Twofold>& prefix) {
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

double largest_inside_share(const ConvolveProblem& p, const std::vector<Twofold>& prefix) {
  double largest = 1;
  if (prefix.empty()) return largest;
  const Size image = p.image.size;
  for (const int row : places_at_edges(p.filter_height, p.anchor.y, image.height))
    for (const int column : places_at_edges(p.filter_width, p.anchor.x, image.width))
      largest = std::max(largest, inside_share(prefix.data(), p.filter_width, p.filter_height,
                                               column, row, image.width, image.height));
  return largest;
}

}  // namespace tessera
