// SPDX-License-Identifier: Apache-2.0
// Gradients and scores through the texture units, which cache them.
#include "ops/cells/study/gicov_pixel.cuh"

namespace tessera {

extern "C" __global__ void gicov_texture(const __grid_constant__ ConstantDetectArgs a) {
  gicov_pixel<TextureRows, TwoPasses>(a.detect, a.tables);
}

extern "C" __global__ void dilate_texture(const __grid_constant__ ConstantDetectArgs a) {
  dilated_pixel<TextureScores>(a.detect, a.tables);
}

}  // namespace tessera
