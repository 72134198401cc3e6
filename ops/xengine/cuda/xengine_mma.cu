// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/cuda/xengine_mma.cuh"

namespace tessera {

extern "C" __global__ void __launch_bounds__(kTileThreads, 1)
    xengine_mma_grouped(const __grid_constant__ XEngineTileArgs args) {
  xengine_mma_tiles<true>(args);
}
extern "C" __global__ void __launch_bounds__(kTileThreads, 1)
    xengine_mma_strided(const __grid_constant__ XEngineTileArgs args) {
  xengine_mma_tiles<false>(args);
}

}  // namespace tessera
