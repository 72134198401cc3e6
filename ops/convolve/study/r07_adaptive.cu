// SPDX-License-Identifier: Apache-2.0
// Rung 7: adaptive tiling. A kernel for every tile factor; the host picks the largest one whose
// tile and border fit (adaptive_tile in ladder_shape.cpp). Blocks are of 1024 threads: without the
// bound the larger factors would take more registers than such a block has.
#include "ops/convolve/study/r05_tiled.cuh"

namespace tessera {

#define TESSERA_ADAPTIVE_ENTRY(factor)                               \
  extern "C" __global__ void __launch_bounds__(1024)                 \
      adaptive_##factor(const __grid_constant__ LadderConstants c) { \
    tiled<factor>(c);                                                \
  }

TESSERA_ADAPTIVE_ENTRY(1)
TESSERA_ADAPTIVE_ENTRY(2)
TESSERA_ADAPTIVE_ENTRY(3)
TESSERA_ADAPTIVE_ENTRY(4)
TESSERA_ADAPTIVE_ENTRY(5)
TESSERA_ADAPTIVE_ENTRY(6)
TESSERA_ADAPTIVE_ENTRY(7)
TESSERA_ADAPTIVE_ENTRY(8)
TESSERA_ADAPTIVE_ENTRY(9)
TESSERA_ADAPTIVE_ENTRY(10)

}  // namespace tessera
