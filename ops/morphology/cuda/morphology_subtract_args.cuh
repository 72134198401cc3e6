// SPDX-License-Identifier: Apache-2.0
// Arguments of the kernel that subtracts images.
#pragma once

#include "ops/morphology/parts/morphology_difference.cuh"

namespace tessera {

/// Threads of a block, side by side, and the rows that each walks down.
struct MorphologySubtractKnobs {
  int threads, rows;
};
inline constexpr MorphologySubtractKnobs kSubtractKnobs{128, 8};

/// Rows of one plane; steps count samples.
struct MorphologySubtractArgs {
  const void *a, *b;
  void* out;
  long long a_pixel, a_row, b_pixel, b_row, out_pixel, out_row;
  int columns, channels, rows;
  DifferenceRule rule;
};

}  // namespace tessera
