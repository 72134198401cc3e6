// SPDX-License-Identifier: Apache-2.0
// What the host tells a rung of the ladder of enhancement: one step on one image of 8 bits.
#pragma once

namespace tessera {

inline constexpr int kStepLevels = 256;
inline constexpr int kStepThreads = 256;  ///< of a block
inline constexpr int kSmoothTile = 16;    ///< of the seed's blocks; 400 loads a block need 20 by 20
inline constexpr int kSmoothReach = 2;    ///< of the 5 by 5 weights

struct StepArgs {
  const unsigned char* from;  ///< red, green and blue for grey, else grey
  unsigned char* out;
  unsigned* counts;
  long long from_row, out_row;  ///< bytes
  int width, height;
  int low, high;         ///< what becomes black and white
  float half, inverse;   ///< of high - low, the half rounded down
  int tiles_x, tiles_y;  ///< blocks of smoothing that need no bounds check
};

}  // namespace tessera
