// SPDX-License-Identifier: Apache-2.0
// The loops over pixels become kernels, nothing else: gradients, tables and scores in device
// memory.
#include "ops/cells/study/gicov_pixel.cuh"

namespace tessera {

extern "C" __global__ void gicov_naive(const __grid_constant__ DetectArgs a) {
  gicov_pixel<MemoryRows, TwoPasses>(a, *a.tables);
}

extern "C" __global__ void dilate_naive(const __grid_constant__ DetectArgs a) {
  dilated_pixel<MemoryScores>(a, *a.tables);
}

}  // namespace tessera
