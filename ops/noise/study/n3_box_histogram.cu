// SPDX-License-Identifier: Apache-2.0
// One block per pixel counts its box in shared memory.
#include "ops/noise/study/box_study_bodies.cuh"

namespace tessera {

extern "C" __global__ void __launch_bounds__(kBoxStudyThreads)
    box_histogram_entry(const __grid_constant__ BoxStudyArgs args) {
  box_histogram(args);
}

}  // namespace tessera
