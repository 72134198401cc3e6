// SPDX-License-Identifier: Apache-2.0
/// One block of the direct method.
#pragma once

#include "ops/convolve/cpu/convolve_block.hpp"

namespace tessera {

struct DirectBlock : ConvolveBlock {
  const void* weights;  ///< pack_weights() in type problem->sums
  /// Where to copy the rows + filter_height - 1 input rows: a ring, in which a new row replaces one
  /// that is no longer needed.
  void* const* row_starts;
};

/// The function for this CPU's best (or the forced) SIMD target; it takes DirectBlocks.
ConvolveBlockFunction direct_block_function(const ConvolveProblem& problem);

}  // namespace tessera
