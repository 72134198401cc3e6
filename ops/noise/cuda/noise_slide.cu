// SPDX-License-Identifier: Apache-2.0
// Entry points of the kernels that slide: noise_slide_TYPE_OUT_RANKS and noise_binned_OUT.
#include "ops/noise/cuda/noise_slide.cuh"

namespace tessera {

#define TESSERA_NOISE_SLIDE_ENTRY(name, type, out)                            \
  extern "C" __global__ void __launch_bounds__(256, 5)                        \
      noise_slide_##name##_r16(const __grid_constant__ NoiseSlideArgs args) { \
    noise_slide_strip<type, out, unsigned short>(args);                       \
  }                                                                           \
  extern "C" __global__ void __launch_bounds__(256, 5)                        \
      noise_slide_##name##_r32(const __grid_constant__ NoiseSlideArgs args) { \
    noise_slide_strip<type, out, unsigned>(args);                             \
  }
#define TESSERA_NOISE_BINNED_ENTRY(name, out)                                                    \
  extern "C" __global__ void noise_binned_##name(const __grid_constant__ NoiseBinnedArgs args) { \
    noise_binned_strip<out>(args);                                                               \
  }

TESSERA_NOISE_SLIDE_ENTRY(u8_u8, unsigned char, unsigned char)
TESSERA_NOISE_SLIDE_ENTRY(u8_f32, unsigned char, float)
TESSERA_NOISE_SLIDE_ENTRY(u16_u16, unsigned short, unsigned short)
TESSERA_NOISE_SLIDE_ENTRY(u16_f32, unsigned short, float)
TESSERA_NOISE_SLIDE_ENTRY(f32_f32, float, float)
TESSERA_NOISE_SLIDE_ENTRY(f64_f64, double, double)
TESSERA_NOISE_BINNED_ENTRY(f32, float)
TESSERA_NOISE_BINNED_ENTRY(f64, double)

}  // namespace tessera
