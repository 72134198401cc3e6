// SPDX-License-Identifier: Apache-2.0
// What the host tells the kernels of adaptive equalisation.
#pragma once

#include "ops/enhance/clahe/enhance_clahe_math.cuh"

namespace tessera {

/// What is known of a plane and group: its values reach from low to high, its levels from low_level
/// to high_level. It is flat, and stays as it is, where low is not below high.
struct ClaheFound {
  int low, high, low_level, high_level;
};
inline constexpr ClaheFound kClaheNothing{1 << 30, -1, 1 << 30, -1};

struct ClaheArgs {
  const void* in;
  void* out;
  long long in_pixel, in_row, in_plane, out_pixel, out_row, out_plane;
  int in_first, out_first;  ///< the image rows that `in` and `out` begin with
  Rows rows;                ///< what is looked at or made
  ClaheAxis across, down;
  int planes, groups, channels;  ///< channels of a group
  int alpha;                     ///< the channel that is copied, or -1
  int most;                      ///< of the type
  unsigned long long tile_samples, limit;

  ClaheFound* found;           ///< of every plane and group
  unsigned long long* counts;  ///< of every plane, group, tile and slot
  unsigned short* tables;      ///< as a finding's curve has them
  long long bins_size, tiles_size, tables_size;
};

/// Threads a block of all kernels.
inline constexpr int kClaheThreads = 256;
/// Rows of a tile that a block counts.
inline constexpr int kClaheCountRows = 32;
/// Pixels whose levels a block makes: a warp across, all warps down in turn.
inline constexpr int kClaheBlockWidth = 32, kClaheBlockRows = 64;

}  // namespace tessera
