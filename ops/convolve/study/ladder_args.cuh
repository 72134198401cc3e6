// SPDX-License-Identifier: Apache-2.0
// Arguments of the rungs of the ladder.
//
// The input includes its border, as in the paper: output pixel (x, y) is the sum over filter weight
// (i, j) times in(x + i, y + j). Beyond the last pixel that is read lies a margin (kLadderMargin
// each way), so that a rung may load whole tiles without a test; a margin's pixels are NaN, which
// would show in any output that used them. Outputs outside the image are not stored.
#pragma once

namespace tessera {

/// The paper's largest filter; 7396 bytes of weights fit in a launch's arguments.
inline constexpr int kMostLadderWeights = 43 * 43;

/// Multiply-adds of a thread that rung 8 unrolls, all of them; beyond that, those of a row.
inline constexpr int kMostUnrolled = 17 * 43 * 6;

/// No tile is wider or higher than this many outputs: blocks of 64 with a tile factor of 20.
inline constexpr int kLadderMargin = 1280;

struct LadderArgs {
  const float* in;
  float* out;
  const float* filter;  ///< in global memory: only the first rung reads it there
  long long in_row, out_row;
  int width, height;  ///< of the output
  int filter_width, filter_height;
  int tile_row;  ///< floats from a row of the shared tile to the next
};

/// Weights in the arguments lie in the constant bank: a load is broadcast to the warp, as from
/// __constant__ memory, but two streams do not compete for one symbol.
struct LadderConstants {
  LadderArgs ladder;
  float weights[kMostLadderWeights];
};

}  // namespace tessera
