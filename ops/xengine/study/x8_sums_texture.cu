// SPDX-License-Identifier: Apache-2.0
// Sums of pairs, [time][input], in registers: samples through the texture units.
#include "ops/xengine/study/texture_sums.cuh"

namespace tessera {

extern "C" __global__ void __launch_bounds__(kSumsThreads)
    texture_sums_entry(const __grid_constant__ TextureSumsArgs args) {
  texture_sums(args);
}

}  // namespace tessera
