// SPDX-License-Identifier: Apache-2.0
// One thread per pixel copies its box to global memory and sorts it.
#include "ops/noise/study/box_study_bodies.cuh"

namespace tessera {

extern "C" __global__ void __launch_bounds__(kBoxStudyThreads)
    box_sort_entry(const __grid_constant__ BoxStudyArgs args) {
  box_sort(args);
}

}  // namespace tessera
