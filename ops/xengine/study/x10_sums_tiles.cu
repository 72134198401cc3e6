// SPDX-License-Identifier: Apache-2.0
// Sums of pairs, [time][input], in registers: 2 by 2 and 4 by 4 pairs of a thread.
#include "ops/xengine/study/tiled_sums.cuh"

namespace tessera {

extern "C" __global__ void __launch_bounds__(kSumsThreads)
    tiled_sums_2_entry(const __grid_constant__ SumsArgs args) {
  tiled_sums<2>(args);
}

extern "C" __global__ void __launch_bounds__(kSumsThreads)
    tiled_sums_4_entry(const __grid_constant__ SumsArgs args) {
  tiled_sums<4>(args);
}

}  // namespace tessera
