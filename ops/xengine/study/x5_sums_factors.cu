// SPDX-License-Identifier: Apache-2.0
// Preparation for BLAS: bytes become the factors of a real product.
#include "ops/xengine/study/sums_bodies.cuh"

namespace tessera {

extern "C" __global__ void __launch_bounds__(kSumsThreads)
    make_factors_entry(const __grid_constant__ FactorsArgs args) {
  make_factors(args);
}

}  // namespace tessera
