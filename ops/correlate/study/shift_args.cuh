// SPDX-License-Identifier: Apache-2.0
// Arguments of the rungs of the correlation ladder: one square image of four planes, correlated
// with itself at shifts 0 <= dx, dy < shifts. As in the paper the moved image is called src, the
// one that stays mask.
#pragma once

namespace tessera {

/// The paper packs its four arrays into one of float4.
inline constexpr int kShiftPlanes = 4;

/// Threads of a block: the paper's 500 shifts and twelve threads that fill the last warp.
inline constexpr int kMostShiftThreads = 512;

struct ShiftArgs {
  const float* together;  ///< four samples per pixel
  const float* separate;  ///< plane after plane
  unsigned long long together_texture, separate_texture;
  float* map;
  int side, shifts;
  int tile_x, tile_y;  ///< shifts that a block has side by side and below each other
};

}  // namespace tessera
