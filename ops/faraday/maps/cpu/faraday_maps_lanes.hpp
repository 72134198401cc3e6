// SPDX-License-Identifier: Apache-2.0
/// The work of the simd method of the maps, once per SIMD target. Lanes are pixels.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

/// Pixels per block: their state stays in the nearest cache during the passes over depths.
inline constexpr int kFaradayBlock = 128;

/// Some contiguous pixels of a row, f32 or f64.
struct FaradayBlock {
  const void* real;
  const void* imaginary;
  long long real_plane, imaginary_plane;  ///< elements from depth to depth
  int count;                              ///< up to kFaradayBlock, a multiple of the lanes
  const double* phi;
  int depths;
};

/// For each pixel the largest |F|^2 except at the first and last depth (-1 if there is none), and
/// the index of its depth as a number.
using FaradayTopsFunction = void (*)(const FaradayBlock&, double* power, double* index);

/// The second moment of each pixel; `heights` has room for depths x kFaradayBlock numbers.
using FaradayMomentsFunction = void (*)(const FaradayBlock&, double* heights, double* moment);

struct FaradayLanes {
  int lanes;  ///< `count` is a multiple of it
  FaradayTopsFunction tops;
  FaradayMomentsFunction moments;
};
FaradayLanes faraday_lanes(Type type);

}  // namespace tessera
