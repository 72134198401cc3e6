// SPDX-License-Identifier: Apache-2.0
// Preparation for BLAS: bytes become complex floats.
#include "ops/xengine/study/sums_bodies.cuh"

namespace tessera {

extern "C" __global__ void __launch_bounds__(kSumsThreads)
    make_complex_entry(const __grid_constant__ ComplexArgs args) {
  make_complex(args);
}

}  // namespace tessera
