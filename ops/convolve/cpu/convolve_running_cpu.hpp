// SPDX-License-Identifier: Apache-2.0
/// One block of the running method.
#pragma once

#include "ops/convolve/box_sums.hpp"
#include "ops/convolve/cpu/convolve_block.hpp"

namespace tessera {

struct RunningBlock : ConvolveBlock {
  BoxSums box;
  int held_first, held_columns;  ///< the columns of the image that the block reads
  // Rows of `step` samples of the sums' type: one each, and in `tails` one for each output row that
  // belongs to the same run. `column_sums` may be a part of `padded`.
  void *zeros, *heads, *tails, *column_sums, *padded, *windows;
  long long step;
};

/// The function for this CPU's best (or the forced) SIMD target; it takes RunningBlocks.
ConvolveBlockFunction running_block_function();

}  // namespace tessera
