// SPDX-License-Identifier: Apache-2.0
// Sums of pairs, [input][time]: loads far apart, sums in global memory.
#include "ops/xengine/study/sums_bodies.cuh"

namespace tessera {

extern "C" __global__ void __launch_bounds__(kSumsThreads)
    sums_it_entry(const __grid_constant__ SumsArgs args) {
  sums_it(args);
}

}  // namespace tessera
