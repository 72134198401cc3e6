// SPDX-License-Identifier: Apache-2.0
// Arguments of the kernel for FFT tiles.
#pragma once

#include "ops/convolve/cuda/convolve_args.cuh"

namespace tessera {

/// The side of a tile in samples, and the threads that transform a pair of tiles. They define the
/// method and are not knobs.
inline constexpr int kFftTile = 128, kFftThreads = 512;

/// 128 x 128 values in groups of 16, 17 apart, the table of twiddle factors, and the rows of an
/// edge tile.
inline constexpr int kFftGroups = kFftTile * kFftTile / 16;
inline constexpr int kFftSharedBytes = (kFftGroups * 17 + kFftTile) * 8 + kFftTile * 4;

struct FftValue {
  float re, im;
};

struct FftArgs : ConvolveArgs<float> {
  const float* weights;      ///< for tiles with pixels that are not finite
  const FftValue* spectrum;  ///< the filter's over the tile's pixel count, in the kernel's order
  int valid_width, valid_height;  ///< outputs of a tile
  int pairs_across, tiles_down;   ///< pairs of tiles, side by side
  int first_tile_row;             ///< the row of tiles that `made` begins in
  int jobs;                       ///< pairs x channels x planes
};

/// Where the value of frequency (u, v) is stored, u down and v across: thread and step of the
/// kernel's last forward pass.
TESSERA_BOTH constexpr int spectrum_index(int u, int v) {
  const int group = (u % 32 * 4 + u / 32) * 8 + v % 8;
  return (group / kFftThreads * 16 + v / 8) * kFftThreads + group % kFftThreads;
}

}  // namespace tessera
