// SPDX-License-Identifier: Apache-2.0
// Sums of pairs, [time][input]: loads side by side, sums in global memory.
#include "ops/xengine/study/sums_bodies.cuh"

namespace tessera {

extern "C" __global__ void __launch_bounds__(kSumsThreads)
    sums_ti_entry(const __grid_constant__ SumsArgs args) {
  sums_ti(args);
}

}  // namespace tessera
