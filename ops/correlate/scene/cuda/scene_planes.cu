// SPDX-License-Identifier: Apache-2.0
// Entry points: scene_colour_TYPE, scene_line, scene_doubled, scene_orient, and of normalisation
// scene_sum, scene_square, scene_zscore, scene_unit.
#include "ops/correlate/scene/cuda/scene_planes.cuh"

namespace tessera {

#define TESSERA_SCENE_ENTRY(name, body, args_type)            \
  extern "C" __global__ void __launch_bounds__(kSceneThreads) \
      name##_entry(const __grid_constant__ args_type args) {  \
    body(args);                                               \
  }

TESSERA_SCENE_ENTRY(scene_colour_u8, scene_colour<unsigned char>, SceneColourArgs)
TESSERA_SCENE_ENTRY(scene_colour_u16, scene_colour<unsigned short>, SceneColourArgs)
TESSERA_SCENE_ENTRY(scene_colour_f32, scene_colour<float>, SceneColourArgs)
TESSERA_SCENE_ENTRY(scene_colour_f64, scene_colour<double>, SceneColourArgs)
TESSERA_SCENE_ENTRY(scene_line, scene_line, SceneLineArgs)
TESSERA_SCENE_ENTRY(scene_doubled, scene_doubled, SceneDoubledArgs)
TESSERA_SCENE_ENTRY(scene_orient, scene_orient, SceneOrientArgs)
TESSERA_SCENE_ENTRY(scene_sum, scene_sum, SceneNormaliseArgs)
TESSERA_SCENE_ENTRY(scene_square, scene_square, SceneNormaliseArgs)
TESSERA_SCENE_ENTRY(scene_zscore, scene_zscore, SceneNormaliseArgs)
TESSERA_SCENE_ENTRY(scene_unit, scene_unit, SceneNormaliseArgs)

}  // namespace tessera
