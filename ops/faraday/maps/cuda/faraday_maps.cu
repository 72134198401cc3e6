// SPDX-License-Identifier: Apache-2.0
#include "ops/faraday/maps/cuda/faraday_maps.cuh"

namespace tessera {

#define TESSERA_FARADAY_MAPS_ENTRY(entry, ...)                     \
  extern "C" __global__ void __launch_bounds__(kFaradayMapThreads) \
      entry(const __grid_constant__ FaradayMapsArgs args) {        \
    faraday_map_pixels<__VA_ARGS__>(args);                         \
  }

TESSERA_FARADAY_MAPS_ENTRY(faraday_maps_f32, float)
TESSERA_FARADAY_MAPS_ENTRY(faraday_maps_f64, double)

}  // namespace tessera
