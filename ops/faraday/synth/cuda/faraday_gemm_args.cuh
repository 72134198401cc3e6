// SPDX-License-Identifier: Apache-2.0
// Arguments of the kernels before and after the products of rotation measure synthesis.
//
// On a grid of depths that is symmetric about zero, C and S (cosines and sines of one half of the
// depths, times fractions of the weights) are multiplied by Q and by U:
//
//     [C; S] x [Q | U]  = [CQ | CU; SQ | SU],   F(+-phi) = CQ +- SU + i (CU -+ SQ)
//
// On any other grid [C S; -S C] x [Q; U] = [Re F; Im F].
#pragma once

#include "ops/faraday/cuda/faraday_cubes.cuh"

namespace tessera {

inline constexpr int kFaradayPackColumns = 32, kFaradayPackRows = 8;
inline constexpr int kFaradayGemmThreads = 256;
static_assert(kFaradayPackColumns * kFaradayPackRows == kFaradayGemmThreads);

/// A launch processes a tile: `tile` pixels from `first` on. Those past the last are zeros.
struct FaradayGemmArgs {
  FaradayCubes cubes;
  long long first;
  int tile, channels, depths;
  bool symmetric;
  const double* share;  ///< per channel: its weight, as a fraction of the sum
  void* packed;         ///< Q and U, flagged voxels zero: inner() x columns()
  const void* product;  ///< rows() x columns()
  void* scale;          ///< per pixel

  TESSERA_BOTH int half() const { return (depths + 1) / 2; }
  TESSERA_BOTH int rows() const { return symmetric ? 2 * half() : 2 * depths; }
  TESSERA_BOTH int inner() const { return symmetric ? channels : 2 * channels; }
  TESSERA_BOTH int columns() const { return symmetric ? 2 * tile : tile; }
  /// Distance from Q to U of a voxel in `packed`.
  TESSERA_BOTH long long to_u() const { return symmetric ? tile : 1LL * channels * tile; }
};

}  // namespace tessera
