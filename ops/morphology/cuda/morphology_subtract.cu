// SPDX-License-Identifier: Apache-2.0
// Entry points: morphology_subtract_TYPE.
#include "ops/morphology/cuda/morphology_subtract.cuh"

namespace tessera {

#define TESSERA_SUBTRACT_ENTRY(name, type)                                              \
  extern "C" __global__ void __launch_bounds__(kSubtractKnobs.threads)                  \
      morphology_subtract_##name(const __grid_constant__ MorphologySubtractArgs args) { \
    morphology_subtract_rows<type, kSubtractKnobs>(args);                               \
  }

TESSERA_SUBTRACT_ENTRY(u8, unsigned char)
TESSERA_SUBTRACT_ENTRY(u16, unsigned short)
TESSERA_SUBTRACT_ENTRY(f32, float)
TESSERA_SUBTRACT_ENTRY(f64, double)

}  // namespace tessera
