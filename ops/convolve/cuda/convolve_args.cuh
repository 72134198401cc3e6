// SPDX-License-Identifier: Apache-2.0
// Arguments of every kernel of convolve.
#pragma once

#include "core/piece_args.cuh"
#include "ops/convolve/parts/inside_share.cuh"

namespace tessera {

/// Samples of a row that a thread reads for `columns` outputs: including the taps to their right,
/// and `shift` samples to their left so that the first one is aligned to 16 bytes.
TESSERA_BOTH constexpr int reach_of(int columns, int filter_width, int channels, int shift) {
  return (columns + (filter_width - 1) * channels + shift + 3) / 4 * 4;
}

/// Samples from one row of a tile to the next, with a gap of 4 after every `run`.
TESSERA_BOTH constexpr int tile_step(int samples, int run) {
  return samples + (samples - 1) / run * 4;
}

/// Shared memory of a tile and of the maps for its edges.
TESSERA_BOTH constexpr int tile_bytes(int samples, int rows, int run) {
  return 4 * (rows * tile_step(samples, run) + samples + rows);
}

template <class T>
struct ConvolveArgs : PieceArgs {
  int filter_width, filter_height;
  bool wide_in, wide_out;  ///< all rows have the same alignment to groups of four samples, which
                           ///< are moved at once
  int lead;   ///< samples from the group of four that a row of `out` begins in to the beginning of
              ///< the row
  T outside;  ///< the value of pixels that the border rule does not define
  T scale;
  const Twofold* prefix;  ///< border `inside` (inside_share.cuh), else null
};

}  // namespace tessera
