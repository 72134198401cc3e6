// SPDX-License-Identifier: Apache-2.0
// Arguments of the running kernels.
#pragma once

#include "ops/convolve/cuda/convolve_args.cuh"

namespace tessera {

/// Threads per block of both kernels, and outputs per block of the second. No bit depends on them.
inline constexpr int kRunningThreads = 128, kRunningTile = 512;

/// Arrays of a tile in shared memory: sums of columns, and windows that are read and written.
inline constexpr int kRunningArrays = 3;

struct RunningArgs : ConvolveArgs<double> {
  double weight;  ///< of a pixel before it is added (BoxSums)
  void* sums;  ///< of filter_height pixels of one column: a row of all columns for each of `made`
};

/// Samples of a tile, with those to the right that windows reach.
TESSERA_BOTH constexpr int running_samples(int filter_width, int channels) {
  return kRunningTile + (filter_width - 1) * channels;
}

}  // namespace tessera
