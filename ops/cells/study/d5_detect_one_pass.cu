// SPDX-License-Identifier: Apache-2.0
// Mean and variance in one pass: no array of 150 slopes per thread.
#include "ops/cells/study/gicov_pixel.cuh"

namespace tessera {

extern "C" __global__ void gicov_one_pass(const __grid_constant__ ConstantDetectArgs a) {
  gicov_pixel<TextureColumns, OnePass>(a.detect, a.tables);
}

}  // namespace tessera
