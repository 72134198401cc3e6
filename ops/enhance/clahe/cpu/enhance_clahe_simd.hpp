// SPDX-License-Identifier: Apache-2.0
/// Levels of a run of pixels that lie between the same four tiles.
#pragma once

#include <cstdint>

#include "ops/enhance/clahe/enhance_clahe_math.cuh"

namespace tessera {

struct ClaheRun {
  const unsigned char* slots;  ///< what the curves take: bins, or 8-bit values
  int count;
  /// For every slot the levels of the left and right tile above; then, for every slot, those below.
  const float* curves;
  const double* across;  ///< weights of left and right, for every pixel
  const float* right;    ///< the weight of right, rounded
  double above, below;
  std::uint16_t* levels;
};

/// Below how many pixels a run is not worth curves of its own.
inline constexpr int kClaheShortRun = 128;
/// How far a level made in float from curves blended for the row may be from the sum that is cut to
/// make the level: rounding errors of both, 13.5 halves of the last place of a number below 2^14.
inline constexpr float kClaheDoubt = 16.0F / 2048;

/// What levels of a run are at least and at most, within less than kClaheDoubt.
struct ClaheBounds {
  float low, high;
};

struct ClaheFunctions {
  void (*levels)(const ClaheRun&);
  ClaheBounds (*bounds)(const ClaheRun&);
};
ClaheFunctions clahe_functions();  ///< for the current SIMD target

}  // namespace tessera
