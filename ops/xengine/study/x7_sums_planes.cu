// SPDX-License-Identifier: Apache-2.0
// Sums of pairs, real and imaginary parts in planes: in shared memory, and in registers.
#include "ops/xengine/study/plane_sums.cuh"

namespace tessera {

extern "C" __global__ void __launch_bounds__(kSumsThreads)
    plane_sums_shared_entry(const __grid_constant__ SumsArgs args) {
  plane_sums_shared(args);
}

extern "C" __global__ void __launch_bounds__(kSumsThreads)
    plane_sums_registers_entry(const __grid_constant__ SumsArgs args) {
  plane_sums_registers(args);
}

}  // namespace tessera
