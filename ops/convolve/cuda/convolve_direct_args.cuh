// SPDX-License-Identifier: Apache-2.0
// What the host tells the direct kernels, and their knobs. Knobs change no bit of the result.
#pragma once

#include "ops/convolve/cuda/convolve_args.cuh"

namespace tessera {

/// The kernel for any filter: threads a block across and down, and output rows a thread.
struct DirectKnobs {
  int block_x = 32, block_y = 8, rows = 4;
};

/// Any filter is worked through in chunks: whole rows of weights, or a part of one row where it has
/// more than kChunkWidth. Weights are thus added row by row, whatever the chunk.
inline constexpr int kChunkWidth = 48, kChunkHeight = 32, kChunkWeights = 1024;

/// Weights up to here travel with the launch; more are read from memory.
inline constexpr int kInlineWeights = 1024;

template <class T>
struct DirectArgs : ConvolveArgs<T> {
  const int* only_if;  ///< null, or a number without which nothing is done
  const T* weights;    ///< null: inline_weights
  T inline_weights[kInlineWeights];
};

/// The kernels compiled for one filter size: 32 x block_y threads, columns (4 or 8) x rows outputs
/// a thread, at least min_blocks blocks a multiprocessor. `straight` (0 or 1): pixels come
/// straight from device memory, not through shared memory.
struct FixedKnobs {
  int block_y = 4, columns = 4, rows = 4, min_blocks = 8, straight = 0;
};

/// Weights are operands of the multiply-adds, straight from the launch's arguments.
template <class T, int kWeights>
struct FixedArgs : ConvolveArgs<T> {
  T weights[kWeights];
};

/// Filters up to here are compiled for their size.
inline constexpr int kMostFixedWeights = 4096;

}  // namespace tessera
