// SPDX-License-Identifier: Apache-2.0
#include "ops/convolve/study/r05_tiled.cuh"

namespace tessera {

extern "C" __global__ void tiled_2(const __grid_constant__ LadderConstants c) { tiled<2>(c); }
extern "C" __global__ void tiled_4(const __grid_constant__ LadderConstants c) { tiled<4>(c); }

}  // namespace tessera
