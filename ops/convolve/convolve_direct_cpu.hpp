// SPDX-License-Identifier: Apache-2.0
/// One block of the direct method: the work of one thread between two synchronisations.
#pragma once

#include "ops/convolve/convolve_problem.hpp"

namespace tessera {

/// Output rows [out_first_row, + rows) and columns [first_column, + columns) of one plane. Serial,
/// plain memory in and out; vertical borders are already resolved into row addresses.
struct DirectBlock {
  const ConvolveProblem* problem;
  const void* weights;                  ///< of type problem->sums
  const double* prefix;                 ///< for border inside, else null
  const unsigned char* const* in_rows;  ///< rows + filter_height - 1 addresses; null: outside
  long long in_pixel;
  unsigned char* out;  ///< first pixel of the plane's view row that is out_first_row
  long long out_pixel, out_row;
  int out_first_row, rows, first_column, columns;
  void* padded;  ///< rows + filter_height - 1 rows of padded_step samples of type sums
  long long padded_step;
  void* sums;  ///< 4 rows of sums_step samples
  long long sums_step;
};

/// Samples that a vector access may touch past the last one wanted; rows have this much slack.
inline constexpr long long kVectorSlack = 64;

using DirectBlockFunction = void (*)(const DirectBlock&);

/// The function for this CPU's best (or the forced) SIMD target.
DirectBlockFunction direct_block_function(const ConvolveProblem& problem);

}  // namespace tessera
