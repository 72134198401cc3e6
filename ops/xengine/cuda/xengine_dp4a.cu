// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/cuda/xengine_dp4a.cuh"

namespace tessera {

extern "C" __global__ void __launch_bounds__(kTileThreads, 1)
    xengine_dp4a_grouped(const __grid_constant__ XEngineTileArgs args) {
  xengine_dp4a_tiles<true>(args);
}
extern "C" __global__ void __launch_bounds__(kTileThreads, 1)
    xengine_dp4a_strided(const __grid_constant__ XEngineTileArgs args) {
  xengine_dp4a_tiles<false>(args);
}

}  // namespace tessera
