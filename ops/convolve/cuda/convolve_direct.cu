// SPDX-License-Identifier: Apache-2.0
// Entry points of the direct kernel with its default knobs, one for each pair of types:
// direct_INPUT_OUTPUT, for small images direct_small_INPUT_OUTPUT. Sums are in double if either is
// f64.
#include "ops/convolve/cuda/convolve_direct.cuh"

namespace tessera {

using u8 = unsigned char;
using u16 = unsigned short;
using f32 = float;
using f64 = double;

#define TESSERA_DIRECT_ENTRY(in, out, sums)                                                       \
  extern "C" __global__ void direct_##in##_##out(const __grid_constant__ DirectArgs<sums> args) { \
    direct_tile<in, out, sums, DirectKnobs{}>(args);                                              \
  }                                                                                               \
  extern "C" __global__ void direct_small_##in##_##out(                                           \
      const __grid_constant__ DirectArgs<sums> args) {                                            \
    direct_tile<in, out, sums, kSmallDirectKnobs>(args);                                          \
  }

TESSERA_DIRECT_ENTRY(u8, u8, f32)
TESSERA_DIRECT_ENTRY(u8, f32, f32)
TESSERA_DIRECT_ENTRY(u8, f64, f64)
TESSERA_DIRECT_ENTRY(u16, u16, f32)
TESSERA_DIRECT_ENTRY(u16, f32, f32)
TESSERA_DIRECT_ENTRY(u16, f64, f64)
TESSERA_DIRECT_ENTRY(f32, f32, f32)
TESSERA_DIRECT_ENTRY(f32, f64, f64)
TESSERA_DIRECT_ENTRY(f64, f32, f64)
TESSERA_DIRECT_ENTRY(f64, f64, f64)

// Sums of several terms are recomputed where pixels are not finite.
extern "C" __global__ void repair_f32_f32(const __grid_constant__ DirectArgs<float> args) {
  repair_tile<float>(args);
}

}  // namespace tessera
