// SPDX-License-Identifier: Apache-2.0
// Columns of the gradients lie one after the other: a warp reads 32 neighbours.
#include "ops/cells/study/gicov_pixel.cuh"

namespace tessera {

extern "C" __global__ void gicov_columns(const __grid_constant__ ConstantDetectArgs a) {
  gicov_pixel<TextureColumns, TwoPasses>(a.detect, a.tables);
}

}  // namespace tessera
