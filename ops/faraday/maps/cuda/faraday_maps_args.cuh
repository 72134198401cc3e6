// SPDX-License-Identifier: Apache-2.0
// What the host tells the kernels of the maps.
#pragma once

#include "ops/faraday/cuda/faraday_cubes.cuh"
#include "ops/faraday/maps/faraday_peak.cuh"

namespace tessera {

inline constexpr int kFaradayMapThreads = 256;

struct FaradayMapsArgs {
  FaradaySource real, imaginary;
  FaradayTarget maps;
  int plane_of[kFaradayPlaces];  ///< of a map; -1: not wanted
  FaradayPeakRule rule;
  const double* phi;
  double* measured;  ///< noise a pixel, row by row; null: it is `noise` for all
  double noise;
  int width;
  long long pixels;  ///< counted row by row
  int teams;         ///< a block that measures noise
};

}  // namespace tessera
