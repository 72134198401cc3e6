// SPDX-License-Identifier: Apache-2.0
// Entry points: noise_subtract_TYPE_MAP.
#include "ops/noise/cuda/noise_subtract.cuh"

namespace tessera {

#define TESSERA_NOISE_SUBTRACT(name, type, map_name, map)        \
  extern "C" __global__ void noise_subtract_##name##_##map_name( \
      const __grid_constant__ NoiseSubtractArgs args) {          \
    noise_subtract_rows<type, map>(args);                        \
  }

TESSERA_NOISE_SUBTRACT(u8, unsigned char, f32, float)
TESSERA_NOISE_SUBTRACT(u16, unsigned short, f32, float)
TESSERA_NOISE_SUBTRACT(f32, float, f32, float)
TESSERA_NOISE_SUBTRACT(f64, double, f64, double)

}  // namespace tessera
