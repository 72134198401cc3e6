// SPDX-License-Identifier: Apache-2.0
// Offsets, angles and the disk through the constant cache: all threads of a warp read the same one.
#include "ops/cells/study/gicov_pixel.cuh"

namespace tessera {

extern "C" __global__ void gicov_constant(const __grid_constant__ ConstantDetectArgs a) {
  gicov_pixel<MemoryRows, TwoPasses>(a.detect, a.tables);
}

extern "C" __global__ void dilate_constant(const __grid_constant__ ConstantDetectArgs a) {
  dilated_pixel<MemoryScores>(a.detect, a.tables);
}

}  // namespace tessera
