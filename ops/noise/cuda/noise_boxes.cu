// SPDX-License-Identifier: Apache-2.0
// Entry points: noise_boxes_TYPE_warp for small boxes and noise_boxes_TYPE_block for large ones.
#include "ops/noise/cuda/noise_boxes.cuh"

namespace tessera {

#define TESSERA_NOISE_BOXES(name, type)                                         \
  extern "C" __global__ void __launch_bounds__(kNoiseWarp)                      \
      noise_boxes_##name##_warp(const __grid_constant__ NoiseBoxesArgs args) {  \
    noise_boxes_point<type, kNoiseWarp>(args);                                  \
  }                                                                             \
  extern "C" __global__ void __launch_bounds__(kNoiseBoxThreads)                \
      noise_boxes_##name##_block(const __grid_constant__ NoiseBoxesArgs args) { \
    noise_boxes_point<type, kNoiseBoxThreads>(args);                            \
  }

TESSERA_NOISE_BOXES(u8, unsigned char)
TESSERA_NOISE_BOXES(u16, unsigned short)
TESSERA_NOISE_BOXES(f32, float)
TESSERA_NOISE_BOXES(f64, double)

}  // namespace tessera
