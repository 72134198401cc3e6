// SPDX-License-Identifier: Apache-2.0
// What the host tells every kernel of convolve.
#pragma once

#include "core/piece_args.cuh"

namespace tessera {

/// Samples of a row that a thread reads for `columns` outputs: the taps to their right too, and
/// `shift` samples to their left so that the first one lies on 16 bytes.
TESSERA_BOTH constexpr int reach_of(int columns, int filter_width, int channels, int shift) {
  return (columns + (filter_width - 1) * channels + shift + 3) / 4 * 4;
}

/// Samples from one row of a tile to the next, with 4 of gap after every `run`.
TESSERA_BOTH constexpr int tile_step(int samples, int run) {
  return samples + (samples - 1) / run * 4;
}

/// Shared memory of a tile and of the maps that its edges need.
TESSERA_BOTH constexpr int tile_bytes(int samples, int rows, int run) {
  return 4 * (rows * tile_step(samples, run) + samples + rows);
}

template <class T>
struct ConvolveArgs : PieceArgs {
  int filter_width, filter_height;
  bool wide_in, wide_out;  ///< all rows lie alike on fours of samples, which are moved at once
  int lead;                ///< samples from the four that a row of `out` begins in to its begin
  T outside;               ///< the pixel that the border does not give
  T scale;
  const double* prefix;  ///< border inside (inside_share.cuh), else null
};

}  // namespace tessera
