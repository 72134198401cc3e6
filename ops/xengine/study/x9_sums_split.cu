// SPDX-License-Identifier: Apache-2.0
// Sums in two arrays of shared memory, twice: one entry for each division of L1 and shared memory.
#include "ops/xengine/study/sums_bodies.cuh"

namespace tessera {

extern "C" __global__ void __launch_bounds__(kSumsThreads)
    sums_more_l1_entry(const __grid_constant__ SumsArgs args) {
  sums_shared<true>(args);
}

extern "C" __global__ void __launch_bounds__(kSumsThreads)
    sums_more_shared_entry(const __grid_constant__ SumsArgs args) {
  sums_shared<true>(args);
}

}  // namespace tessera
