// SPDX-License-Identifier: Apache-2.0
/// One block of the direct method: the work of one thread between two synchronisations.
#pragma once

#include "ops/convolve/convolve_problem.hpp"

namespace tessera {

/// Output rows [out_first_row, + rows) and columns [first_column, + columns) of one plane. Serial,
/// plain memory in and out; vertical borders are already resolved into row addresses.
struct DirectBlock {
  const ConvolveProblem* problem;
  const void* weights;                  ///< packed_weights() in type problem->sums
  const double* prefix;                 ///< for border inside, else null
  const unsigned char* const* in_rows;  ///< rows + filter_height - 1 addresses; null: outside
  long long in_pixel;
  unsigned char* out;  ///< first pixel of the plane's view row that is out_first_row
  long long out_pixel, out_row;
  int out_first_row, rows, first_column, columns;
  /// Where to copy the rows + filter_height - 1 input rows: a ring, in which a row takes the place
  /// of one that is no longer needed.
  void* const* row_starts;
  void* sums;  ///< kDirectRows rows of sums_step samples
  long long sums_step;
};

/// Samples that a vector access may touch past the last one wanted; rows have this much slack.
inline constexpr long long kVectorSlack = 64;

/// Samples that fill whole tiles of every SIMD target.
inline constexpr int kTileSamples = 96;

/// Output rows whose sums stay in registers together.
inline constexpr int kDirectRows = 4;

/// The weights as a tile of kDirectRows output rows meets them: for input row r and filter column i
/// the weights of the output rows, side by side: entry [r][i][k] is weight (i, r - k), and 0, which
/// is never used, where the filter has no such row.
template <class T>
std::vector<T> packed_weights(const ConvolveProblem& p) {
  const auto width = static_cast<std::size_t>(p.filter_width);
  const auto height = static_cast<std::size_t>(p.filter_height);
  std::vector<T> packed((height + kDirectRows - 1) * width * kDirectRows);
  for (std::size_t j = 0; j < height; ++j)
    for (std::size_t i = 0; i < width; ++i)
      for (std::size_t k = 0; k < kDirectRows; ++k)
        packed[((j + k) * width + i) * kDirectRows + k] = static_cast<T>(p.weights[j * width + i]);
  return packed;
}

using DirectBlockFunction = void (*)(const DirectBlock&);

/// The function for this CPU's best (or the forced) SIMD target.
DirectBlockFunction direct_block_function(const ConvolveProblem& problem);

}  // namespace tessera
