// SPDX-License-Identifier: Apache-2.0
#include "ops/enhance/cuda/enhance_levels.cuh"

namespace tessera {

extern "C" __global__ void enhance_clear_counts(const __grid_constant__ EnhanceClearArgs args) {
  enhance_clear(args);
}
extern "C" __global__ void enhance_make_curves(const __grid_constant__ EnhanceCurveArgs args) {
  enhance_curves(args);
}

}  // namespace tessera
