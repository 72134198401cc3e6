// SPDX-License-Identifier: Apache-2.0
/// The work of the simd method of the maps, once a SIMD target. Lanes are pixels.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

/// Pixels of a block: what is known of each stays in the nearest cache while the depths go by.
inline constexpr int kFaradayBlock = 128;

/// Some pixels of a row, side by side, f32 or f64.
struct FaradayBlock {
  const void* real;
  const void* imaginary;
  long long real_plane, imaginary_plane;  ///< elements from depth to depth
  int count;                              ///< up to kFaradayBlock, a multiple of the lanes
  const double* phi;
  int depths;
};

/// For each pixel the largest |F|^2 but for the first and last depth, -1 where there is none, and
/// its depth's index as a number.
using FaradayTopsFunction = void (*)(const FaradayBlock&, double* power, double* index);

/// The second moment of each pixel; `heights` holds depths x kFaradayBlock numbers.
using FaradayMomentsFunction = void (*)(const FaradayBlock&, double* heights, double* moment);

struct FaradayLanes {
  int lanes;  ///< that `count` is a multiple of
  FaradayTopsFunction tops;
  FaradayMomentsFunction moments;
};
FaradayLanes faraday_lanes(Type type);

}  // namespace tessera
