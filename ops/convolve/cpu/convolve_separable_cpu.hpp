// SPDX-License-Identifier: Apache-2.0
/// One block of the separable and lowrank methods.
#pragma once

#include "ops/convolve/cpu/convolve_block.hpp"

namespace tessera {

struct SeparableBlock : ConvolveBlock {
  int terms;
  const void* row_weights;     ///< for each term, filter_width weights and kTileRows of slack
  const void* column_weights;  ///< pack_weights() for each term
  void* padded;                ///< one row with its apron
  /// Rows filtered along x: for each term, where its rows + filter_height - 1 rows go: a ring whose
  /// length is a multiple of kTileRows rows, ring_step samples apart.
  void* const* row_starts;
  long long ring_step;
  /// Input rows [-rows_before, rows + filter_height - 1 + rows_after) are searched for numbers that
  /// are not finite: not_finite[r] for each. Null: not needed.
  unsigned char* not_finite;
  int rows_before, rows_after;
};

/// The function for this CPU's best (or the forced) SIMD target; it takes SeparableBlocks.
ConvolveBlockFunction separable_block_function(const ConvolveProblem& problem);
/// The same for filters of 3x3 with one term and sums in f32.
ConvolveBlockFunction three_block_function();

}  // namespace tessera
