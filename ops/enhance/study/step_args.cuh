// SPDX-License-Identifier: Apache-2.0
// Arguments of the rungs of the ladder of enhancement: one step on one image of 8 bits.
#pragma once

namespace tessera {

inline constexpr int kStepLevels = 256;
inline constexpr int kStepThreads = 256;  ///< of a block
inline constexpr int kSmoothTile = 16;  ///< of the paper's blocks; 400 loads per block are 20 by 20
inline constexpr int kSmoothReach = 2;  ///< of the 5 by 5 weights

struct StepArgs {
  const unsigned char* from;  ///< red, green and blue for grey, otherwise grey
  unsigned char* out;
  unsigned* counts;
  long long from_row, out_row;  ///< bytes
  int width, height;
  int low, high;         ///< they become black and white
  float half, inverse;   ///< of high - low, the half rounded down
  int tiles_x, tiles_y;  ///< blocks of smoothing that need no bounds check
};

}  // namespace tessera
