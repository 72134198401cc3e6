// SPDX-License-Identifier: Apache-2.0
/// Weights in the order in which the tiles of row_tiles-inl.hpp use them, and the sizes of tiles.
#pragma once

#include <cstddef>
#include <vector>

namespace tessera {

/// Output rows whose sums stay in registers together.
inline constexpr int kTileRows = 4;

/// Samples that fill whole tiles of every SIMD target.
inline constexpr int kTileSamples = 96;

/// Samples that a vector access may touch past the last one wanted; rows have this much slack.
inline constexpr long long kVectorSlack = 64;

/// How many packed weights a filter has.
inline std::size_t packed_count(int width, int height) {
  return (static_cast<std::size_t>(height) + kTileRows - 1) * static_cast<std::size_t>(width) *
         kTileRows;
}

/// Appends a filter's weights: for input row r and filter column i the weights of the tile's output
/// rows, side by side. Entry [r][i][k] is weight (i, r - k), or 0 (never used) if the filter has no
/// such row.
template <class T>
void pack_weights(const std::vector<double>& weights, int filter_width, int filter_height,
                  std::vector<T>& packed) {
  const auto width = static_cast<std::size_t>(filter_width);
  const std::size_t start = packed.size();
  packed.resize(start + packed_count(filter_width, filter_height));
  for (std::size_t j = 0; j < static_cast<std::size_t>(filter_height); ++j)
    for (std::size_t i = 0; i < width; ++i)
      for (std::size_t k = 0; k < kTileRows; ++k)
        packed[start + ((j + k) * width + i) * kTileRows + k] =
            static_cast<T>(weights[j * width + i]);
}

}  // namespace tessera
