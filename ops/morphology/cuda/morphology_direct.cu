// SPDX-License-Identifier: Apache-2.0
// Entry points of the direct kernel with its default knobs: morphology_direct_KIND_TYPE, for small
// images morphology_direct_small_KIND_TYPE.
#include "ops/morphology/cuda/morphology_direct.cuh"

namespace tessera {

#define TESSERA_MORPHOLOGY_ENTRY(kind, type, bytes, max)                     \
  extern "C" __global__ void morphology_direct_##kind##_##type(              \
      const __grid_constant__ MorphologyDirectArgs args) {                   \
    morphology_direct_tile<bytes, max, usual_morphology_knobs(bytes)>(args); \
  }                                                                          \
  extern "C" __global__ void morphology_direct_small_##kind##_##type(        \
      const __grid_constant__ MorphologyDirectArgs args) {                   \
    morphology_direct_tile<bytes, max, kSmallMorphologyKnobs>(args);         \
  }

TESSERA_MORPHOLOGY_ENTRY(erode, u8, 1, false)
TESSERA_MORPHOLOGY_ENTRY(erode, u16, 2, false)
TESSERA_MORPHOLOGY_ENTRY(erode, f32, 4, false)
TESSERA_MORPHOLOGY_ENTRY(erode, f64, 8, false)
TESSERA_MORPHOLOGY_ENTRY(dilate, u8, 1, true)
TESSERA_MORPHOLOGY_ENTRY(dilate, u16, 2, true)
TESSERA_MORPHOLOGY_ENTRY(dilate, f32, 4, true)
TESSERA_MORPHOLOGY_ENTRY(dilate, f64, 8, true)

}  // namespace tessera
