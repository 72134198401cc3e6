// SPDX-License-Identifier: Apache-2.0
// One thread per pixel selects among the values of its box, in place.
#include "ops/noise/study/box_study_bodies.cuh"

namespace tessera {

extern "C" __global__ void __launch_bounds__(kBoxStudyThreads)
    box_select_entry(const __grid_constant__ BoxStudyArgs args) {
  box_select(args);
}

}  // namespace tessera
