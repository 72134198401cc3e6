// SPDX-License-Identifier: Apache-2.0
/// One block of the CPU methods: the work of one thread between two synchronisations.
#pragma once

#include <vector>

#include "ops/noise/rank/rank_network.cuh"
#include "ops/noise/rank/rank_problem.hpp"

namespace tessera {

/// Output rows `rows` and columns [first_column, + columns) of one plane. Serial; input and output
/// are plain memory, and vertical borders are already resolved into row addresses.
struct RankBlock {
  const RankProblem* problem;
  const RankNetwork* network;           ///< of method network
  const std::vector<int>* places;       ///< of the result among 0, 1, 2 … sorted values
  const unsigned char* const* in_rows;  ///< rows + height - 1 addresses; null: outside
  long long in_pixel;
  unsigned char* out;  ///< the plane's first pixel of the first row
  long long out_pixel, out_row;
  int rows, first_column, columns;
  void* kept;  ///< rows + height - 1 rows of row_step samples: the input with its borders
  void* made;  ///< rows of row_step samples: results whose pixels have gaps in the image
  long long row_step;
};

/// Samples that a vector access may touch past the last one wanted; rows have this much slack.
inline constexpr long long kRankSlack = 256;
/// Rows of a block: fewer would load the rows above and below it too often.
inline constexpr int kRankRows = 32;
/// A column of method histogram has 17 levels of 16 counts.
inline constexpr long long kRankHistogramBytes = 17 * 16 * 2;

/// The sample that bisection works with: that of the image, except for more pixels of u8 than a
/// byte can count. Blocks of all methods have room for it.
inline Type rank_work_type(const RankProblem& problem) {
  return problem.image.type == Type::u8 && problem.count() > 255 ? Type::u16 : problem.image.type;
}

using RankBlockFunction = void (*)(const RankBlock&);

/// Functions for this CPU's best (or the forced) SIMD target.
RankBlockFunction rank_square_function(const RankProblem& problem);
RankBlockFunction rank_network_function(const RankProblem& problem);
RankBlockFunction rank_bisect_function(const RankProblem& problem);
RankBlockFunction rank_histogram_function(const RankProblem& problem);

}  // namespace tessera
