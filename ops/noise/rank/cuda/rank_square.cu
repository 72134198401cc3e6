// SPDX-License-Identifier: Apache-2.0
// Entry points of squares with their default knobs: rank_square_SIDE_TYPE.
#include "ops/noise/rank/cuda/rank_square.cuh"

namespace tessera {

#define TESSERA_RANK_SQUARE(side, name, type)                                  \
  extern "C" __global__ void __launch_bounds__(usual_rank_knobs(side).threads) \
      rank_square_##side##_##name(const __grid_constant__ RankArgs args) {     \
    rank_square_column<type, side, usual_rank_knobs(side)>(args);              \
  }
#define TESSERA_RANK_SQUARES(side)               \
  TESSERA_RANK_SQUARE(side, u8, unsigned char)   \
  TESSERA_RANK_SQUARE(side, u16, unsigned short) \
  TESSERA_RANK_SQUARE(side, f32, float)          \
  TESSERA_RANK_SQUARE(side, f64, double)

TESSERA_RANK_SQUARES(3)
TESSERA_RANK_SQUARES(5)
TESSERA_RANK_SQUARES(7)

}  // namespace tessera
