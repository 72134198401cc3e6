// SPDX-License-Identifier: Apache-2.0
// Arguments of the direct kernels, and their knobs. Knobs change no bit of the result.
#pragma once

#include "ops/convolve/cuda/convolve_args.cuh"

namespace tessera {

/// The kernel for any filter: threads per block across and down, and output rows per thread.
struct DirectKnobs {
  int block_x = 32, block_y = 8, rows = 4;
};

/// For small images, whose few tiles of the usual size would leave multiprocessors idle.
inline constexpr DirectKnobs kSmallDirectKnobs{32, 8, 1};

/// Any filter is processed in chunks: whole rows of weights, or part of one row if it has more than
/// kChunkWidth. So weights are added row by row, whatever the chunk.
inline constexpr int kChunkWidth = 48, kChunkHeight = 32, kChunkWeights = 1024;

/// Up to this many weights are passed with the launch; more are read from memory.
inline constexpr int kInlineWeights = 1024;

template <class T>
struct DirectArgs : ConvolveArgs<T> {
  const int* only_if;  ///< null, or an address; if the number there is 0, nothing is done
  const T* weights;    ///< null: inline_weights
  T inline_weights[kInlineWeights];
};

/// The kernels compiled for one filter size: 32 x block_y threads, columns (4 or 8) x rows outputs
/// per thread, at least min_blocks blocks per multiprocessor. `straight` (0 or 1): pixels are read
/// directly from device memory, not through shared memory.
struct FixedKnobs {
  int block_y = 4, columns = 4, rows = 4, min_blocks = 8, straight = 0;
};

/// Weights are operands of the multiply-adds, directly from the launch's arguments.
template <class T, int kWeights>
struct FixedArgs : ConvolveArgs<T> {
  T weights[kWeights];
};

/// Filters up to this size are compiled for their size.
inline constexpr int kMostFixedWeights = 4096;

}  // namespace tessera
