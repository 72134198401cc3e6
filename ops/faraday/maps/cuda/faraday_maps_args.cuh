// SPDX-License-Identifier: Apache-2.0
// Arguments of the kernels of the maps.
#pragma once

#include "ops/faraday/cuda/faraday_cubes.cuh"
#include "ops/faraday/maps/faraday_peak.cuh"

namespace tessera {

inline constexpr int kFaradayMapThreads = 256;

struct FaradayMapsArgs {
  FaradaySource real, imaginary;
  FaradayTarget maps;
  int plane_of[kFaradayPlaces];  ///< index of a map; -1: not wanted
  FaradayPeakRule rule;
  const double* phi;
  double* measured;  ///< noise per pixel, in row order; null: `noise` for all
  double noise;
  int width;
  long long pixels;  ///< counted in row order
  int teams;         ///< per block that measures noise
};

}  // namespace tessera
