// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/cuda/xengine_wgmma_sm90a.cuh"

namespace tessera {

extern "C" __global__ void __launch_bounds__(kWgmmaThreads, 1)
    xengine_wgmma_grouped(const __grid_constant__ XEngineTileArgs args) {
  xengine_wgmma_tiles<true>(args);
}
extern "C" __global__ void __launch_bounds__(kWgmmaThreads, 1)
    xengine_wgmma_strided(const __grid_constant__ XEngineTileArgs args) {
  xengine_wgmma_tiles<false>(args);
}

}  // namespace tessera
