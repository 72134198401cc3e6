// SPDX-License-Identifier: Apache-2.0
// Entry points of footprints of any shape: rank_bisect_TYPE.
#include "ops/noise/rank/cuda/rank_bisect.cuh"

namespace tessera {

#define TESSERA_RANK_BISECT(name, type)                                  \
  extern "C" __global__ void __launch_bounds__(kRankBisectKnobs.threads) \
      rank_bisect_##name(const __grid_constant__ RankArgs args) {        \
    rank_bisect_column<type, kRankBisectKnobs>(args);                    \
  }

TESSERA_RANK_BISECT(u8, unsigned char)
TESSERA_RANK_BISECT(u16, unsigned short)
TESSERA_RANK_BISECT(f32, float)
TESSERA_RANK_BISECT(f64, double)

}  // namespace tessera
