// SPDX-License-Identifier: Apache-2.0
// Entry points of the kernel for any pixels: enhance_points_TYPE_CHANNELS.
#include "ops/enhance/cuda/enhance_points.cuh"

namespace tessera {

#define TESSERA_ENHANCE_ENTRY(type, sample, channels)            \
  extern "C" __global__ void enhance_points_##type##_##channels( \
      const __grid_constant__ EnhancePointArgs args) {           \
    enhance_points<sample, channels>(args);                      \
  }

TESSERA_ENHANCE_ENTRY(u8, unsigned char, 1)
TESSERA_ENHANCE_ENTRY(u8, unsigned char, 2)
TESSERA_ENHANCE_ENTRY(u8, unsigned char, 3)
TESSERA_ENHANCE_ENTRY(u8, unsigned char, 4)
TESSERA_ENHANCE_ENTRY(u16, unsigned short, 1)
TESSERA_ENHANCE_ENTRY(u16, unsigned short, 2)
TESSERA_ENHANCE_ENTRY(u16, unsigned short, 3)
TESSERA_ENHANCE_ENTRY(u16, unsigned short, 4)

}  // namespace tessera
