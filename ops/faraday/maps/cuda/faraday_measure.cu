// SPDX-License-Identifier: Apache-2.0
// Entry points for any number of depths, and for 385 to 416, of which 401 is the usual one; others
// are compiled at run time.
#include "ops/faraday/maps/cuda/faraday_measure.cuh"

namespace tessera {

#define TESSERA_FARADAY_MEASURE_ENTRY(entry, ...)                   \
  extern "C" __global__ void __launch_bounds__(kFaradayTeamThreads) \
      entry(const __grid_constant__ FaradayMapsArgs args) {         \
    faraday_measure_pixels<__VA_ARGS__>(args);                      \
  }

TESSERA_FARADAY_MEASURE_ENTRY(faraday_measure_f32_401, float, 32, 13)
TESSERA_FARADAY_MEASURE_ENTRY(faraday_measure_f32_warps, float, 32, 32)
TESSERA_FARADAY_MEASURE_ENTRY(faraday_measure_f64_warps, double, 32, 32)
TESSERA_FARADAY_MEASURE_ENTRY(faraday_measure_f32_blocks, float, 256, 32)
TESSERA_FARADAY_MEASURE_ENTRY(faraday_measure_f64_blocks, double, 256, 32)

}  // namespace tessera
