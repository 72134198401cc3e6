// SPDX-License-Identifier: Apache-2.0
/// Voxels as the methods of the bands read them.
#pragma once

#include "ops/faraday/bands/faraday_band_pixel.cuh"
#include "tessera/faraday_bands.hpp"

namespace tessera {

/// One plane of noise is repeated for all channels by a step of 0.
inline FaradayBandCubes faraday_band_cubes(const FaradayVoxels& voxels) {
  const auto source = [](const AnyView& view) {
    return FaradaySource{view.data, view.pixel, view.row, view.size.planes > 1 ? view.plane : 0};
  };
  return {source(voxels.q), source(voxels.u), source(voxels.weight), source(voxels.sigma)};
}

}  // namespace tessera
