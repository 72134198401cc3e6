// SPDX-License-Identifier: Apache-2.0
// Sums of pairs, [time][input]: sums grow in shared memory, side by side.
#include "ops/xengine/study/sums_bodies.cuh"

namespace tessera {

extern "C" __global__ void __launch_bounds__(kSumsThreads)
    sums_shared_entry(const __grid_constant__ SumsArgs args) {
  sums_shared<false>(args);
}

}  // namespace tessera
