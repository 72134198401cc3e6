// SPDX-License-Identifier: Apache-2.0
// Entry points: correlate_exact_TYPE, correlate_energy_TYPE, correlate_map_divisors.
#include "ops/correlate/cuda/correlate_exact.cuh"

namespace tessera {

#define TESSERA_CORRELATE_ENTRIES(name, type)                               \
  extern "C" __global__ void __launch_bounds__(kCorrelateThreads)           \
      correlate_exact_##name(const __grid_constant__ CorrelateArgs args) {  \
    correlate_exact<type>(args);                                            \
  }                                                                         \
  extern "C" __global__ void __launch_bounds__(kCorrelateThreads)           \
      correlate_energy_##name(const __grid_constant__ CorrelateArgs args) { \
    correlate_energy<type>(args);                                           \
  }

TESSERA_CORRELATE_ENTRIES(u8, unsigned char)
TESSERA_CORRELATE_ENTRIES(u16, unsigned short)
TESSERA_CORRELATE_ENTRIES(f32, float)
TESSERA_CORRELATE_ENTRIES(f64, double)

extern "C" __global__ void __launch_bounds__(kCorrelateThreads)
    correlate_map_divisors(const __grid_constant__ CorrelateArgs args) {
  correlate_divisors(args);
}

}  // namespace tessera
