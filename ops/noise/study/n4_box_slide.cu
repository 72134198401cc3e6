// SPDX-License-Identifier: Apache-2.0
// A warp slides along a row, its histogram in shared memory.
#include "ops/noise/study/box_slide_bodies.cuh"

namespace tessera {

extern "C" __global__ void __launch_bounds__(kBoxStudyThreads)
    box_slide_entry(const __grid_constant__ BoxStudyArgs args) {
  box_slide(args);
}

}  // namespace tessera
