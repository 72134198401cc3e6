// SPDX-License-Identifier: Apache-2.0
// Entry points for any image: enhance_smooth_separable_TYPE, enhance_smooth_any_TYPE.
#include "ops/enhance/cuda/enhance_smooth.cuh"

namespace tessera {

#define TESSERA_ENHANCE_ENTRY(kind, type, sample)            \
  extern "C" __global__ void enhance_smooth_##kind##_##type( \
      const __grid_constant__ EnhanceSmoothArgs args) {      \
    enhance_smooth_##kind<sample>(args);                     \
  }

TESSERA_ENHANCE_ENTRY(separable, u8, unsigned char)
TESSERA_ENHANCE_ENTRY(separable, u16, unsigned short)
TESSERA_ENHANCE_ENTRY(any, u8, unsigned char)
TESSERA_ENHANCE_ENTRY(any, u16, unsigned short)

}  // namespace tessera
