// SPDX-License-Identifier: Apache-2.0
// Entry points of the kernels for boxes with their default knobs: morphology_separable_KIND_TYPE,
// for small images morphology_separable_small_KIND_TYPE, and morphology_extend_KIND_TYPE.
#include "ops/morphology/cuda/morphology_separable.cuh"

namespace tessera {

#define TESSERA_MORPHOLOGY_ENTRY(kind, type, bytes, max)                        \
  extern "C" __global__ void morphology_separable_##kind##_##type(              \
      const __grid_constant__ MorphologySeparableArgs args) {                   \
    morphology_separable_tile<bytes, max, usual_morphology_knobs(bytes)>(args); \
  }                                                                             \
  extern "C" __global__ void morphology_separable_small_##kind##_##type(        \
      const __grid_constant__ MorphologySeparableArgs args) {                   \
    morphology_separable_tile<bytes, max, kSmallMorphologyKnobs>(args);         \
  }                                                                             \
  extern "C" __global__ void morphology_extend_##kind##_##type(                 \
      const __grid_constant__ MorphologyExtendArgs args) {                      \
    morphology_extend_rows<bytes, max>(args);                                   \
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
