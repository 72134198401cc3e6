// SPDX-License-Identifier: Apache-2.0
// Arguments of the kernels of adaptive equalisation.
#pragma once

#include "ops/enhance/clahe/enhance_clahe_math.cuh"

namespace tessera {

/// Properties of a plane and group: its values range from low to high, its levels from low_level to
/// high_level. If low is not below high it is flat and stays as it is.
struct ClaheFound {
  int low, high, low_level, high_level;
};
inline constexpr ClaheFound kClaheNothing{1 << 30, -1, 1 << 30, -1};

struct ClaheArgs {
  const void* in;
  void* out;
  long long in_pixel, in_row, in_plane, out_pixel, out_row, out_plane;
  int in_first, out_first;  ///< the first image rows of `in` and `out`
  Rows rows;                ///< rows to be counted or made
  ClaheAxis across, down;
  int planes, groups, channels;  ///< channels of a group
  int alpha;                     ///< the channel that is copied, or -1
  int most;                      ///< of the sample type
  unsigned long long tile_samples, limit;

  ClaheFound* found;           ///< for every plane and group
  unsigned long long* counts;  ///< for every plane, group, tile and slot
  unsigned short* tables;      ///< as in a finding's curve
  long long bins_size, tiles_size, tables_size;
};

/// Threads per block of all kernels.
inline constexpr int kClaheThreads = 256;
/// Rows of a tile counted by one block.
inline constexpr int kClaheCountRows = 32;
/// Pixels whose levels one block computes: a warp across, all warps down in turn.
inline constexpr int kClaheBlockWidth = 32, kClaheBlockRows = 64;

}  // namespace tessera
