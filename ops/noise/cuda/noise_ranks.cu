// SPDX-License-Identifier: Apache-2.0
// Entry points of the kernel that sorts tiles: noise_ranks_TYPE.
#include "ops/noise/cuda/noise_ranks.cuh"

namespace tessera {

#define TESSERA_NOISE_RANKS_ENTRY(name, type)                           \
  extern "C" __global__ void __launch_bounds__(512, 2)                  \
      noise_ranks_##name(const __grid_constant__ NoiseRanksArgs args) { \
    noise_rank_tile<type>(args);                                        \
  }

TESSERA_NOISE_RANKS_ENTRY(u8, unsigned char)
TESSERA_NOISE_RANKS_ENTRY(u16, unsigned short)
TESSERA_NOISE_RANKS_ENTRY(f32, float)
TESSERA_NOISE_RANKS_ENTRY(f64, double)

}  // namespace tessera
