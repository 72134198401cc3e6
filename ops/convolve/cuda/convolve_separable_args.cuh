// SPDX-License-Identifier: Apache-2.0
// Arguments of the separable kernel, and its knobs. Knobs change no bit of the result.
#pragma once

#include "ops/convolve/cuda/convolve_args.cuh"

namespace tessera {

/// 32 x block_y threads make 128 samples by block_y*rows outputs.
struct SeparableKnobs {
  int block_y = 8, rows = 8, min_blocks = 2;
};

/// The sums of one term, or of one of several: `before` (null: none) are the sums of the terms
/// before it, `after` (null: it is the last) is where the sums including this term go.
template <int kFw, int kFh>
struct SeparableArgs : ConvolveArgs<float> {
  const float* before;
  float* after;
  float row[kFw], column[kFh];
};

/// Filters up to this many weights in each direction are compiled for their size.
inline constexpr int kMostSeparableWeights = 127;

}  // namespace tessera
