// SPDX-License-Identifier: Apache-2.0
// Entry points of the kernels that make ranges and bins: noise_range_TYPE and noise_codes_TYPE.
#include "ops/noise/cuda/noise_codes.cuh"

namespace tessera {

#define TESSERA_NOISE_CODES_ENTRY(name, type)                                                  \
  extern "C" __global__ void noise_range_##name(const __grid_constant__ NoiseCodesArgs args) { \
    noise_range_tile<type>(args);                                                              \
  }                                                                                            \
  extern "C" __global__ void noise_codes_##name(const __grid_constant__ NoiseCodesArgs args) { \
    noise_codes_tile<type>(args);                                                              \
  }

TESSERA_NOISE_CODES_ENTRY(u8, unsigned char)
TESSERA_NOISE_CODES_ENTRY(u16, unsigned short)
TESSERA_NOISE_CODES_ENTRY(f32, float)
TESSERA_NOISE_CODES_ENTRY(f64, double)

}  // namespace tessera
