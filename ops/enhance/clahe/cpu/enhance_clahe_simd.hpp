// SPDX-License-Identifier: Apache-2.0
/// Levels of a run of pixels that lie between the same four tiles.
#pragma once

#include <cstdint>

#include "ops/enhance/clahe/enhance_clahe_math.cuh"

namespace tessera {

struct ClaheRun {
  const unsigned char* slots;  ///< the input of the curves: bins, or 8-bit values
  int count;
  /// For every slot, the levels of the left and right tile above; then, for every slot, those
  /// below.
  const float* curves;
  const double* across;  ///< weights of left and right, for every pixel
  const float* right;    ///< the weight of right, rounded
  double above, below;
  std::uint16_t* levels;
};

/// Runs of fewer pixels are too short to blend curves for them.
inline constexpr int kClaheShortRun = 128;
/// Maximum distance between a level computed in float, from curves blended for the row, and the sum
/// whose integer part is the level: rounding errors of both, 13.5 halves of the last place of a
/// number below 2^14.
inline constexpr float kClaheDoubt = 16.0F / 2048;

/// Bounds on the levels of a run, to within kClaheDoubt.
struct ClaheBounds {
  float low, high;
};

struct ClaheFunctions {
  void (*levels)(const ClaheRun&);
  ClaheBounds (*bounds)(const ClaheRun&);
};
ClaheFunctions clahe_functions();  ///< for the current SIMD target

}  // namespace tessera
