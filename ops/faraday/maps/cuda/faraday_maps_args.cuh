// SPDX-License-Identifier: Apache-2.0
// Arguments of the kernels of the maps.
#pragma once

#include "ops/faraday/cuda/faraday_cubes.cuh"
#include "ops/faraday/maps/faraday_peak.cuh"

namespace tessera {

inline constexpr int kFaradayMapThreads = 256;

struct FaradayMapsArgs {
  FaradaySource real, imaginary;
  FaradaySource bands;  ///< of the pixels; null: rule.band for all
  FaradayTarget maps;
  int plane_of[kFaradayPlaces];  ///< index of a map; -1: not wanted
  FaradayPeakRule rule;
  const double* phi;
  double* measured;  ///< noise per pixel, in row order; null: it is not measured
  int width;
  long long pixels;  ///< counted in row order
  int teams;         ///< per block that measures noise
};

/// The band of a pixel: faraday_band_at of faraday_peak.hpp.
template <class T>
TESSERA_BOTH inline FaradayBandValues faraday_band_of(const FaradayMapsArgs& a, long long pixel) {
  FaradayBandValues band = a.rule.band;
  if (!a.bands.data) return band;
  const T* const own = static_cast<const T*>(a.bands.data) + pixel / a.width * a.bands.row +
                       pixel % a.width * a.bands.pixel;
  for (int place = 0; place < kFaradayBandPlaces; ++place) {
    const double value = own[place * a.bands.plane];
    if (place != kFaradayBandNoise || value == value) band.at[place] = value;
  }
  return band;
}

}  // namespace tessera
