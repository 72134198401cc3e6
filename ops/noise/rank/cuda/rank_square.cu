// SPDX-License-Identifier: Apache-2.0
// Entry points of squares: rank_square_SIDE_TYPE, for small images rank_square_small_SIDE_TYPE.
#include "ops/noise/rank/cuda/rank_square.cuh"

namespace tessera {

#define TESSERA_RANK_SQUARE(entry, side, type, knobs)               \
  extern "C" __global__ void __launch_bounds__(knobs(side).threads) \
      rank_square_##entry(const __grid_constant__ RankArgs args) {  \
    rank_square_column<type, side, knobs(side)>(args);              \
  }
#define TESSERA_RANK_SQUARES(before, side, knobs)                      \
  TESSERA_RANK_SQUARE(before##side##_u8, side, unsigned char, knobs)   \
  TESSERA_RANK_SQUARE(before##side##_u16, side, unsigned short, knobs) \
  TESSERA_RANK_SQUARE(before##side##_f32, side, float, knobs)          \
  TESSERA_RANK_SQUARE(before##side##_f64, side, double, knobs)

TESSERA_RANK_SQUARES(, 3, usual_rank_knobs)
TESSERA_RANK_SQUARES(, 5, usual_rank_knobs)
TESSERA_RANK_SQUARES(, 7, usual_rank_knobs)
TESSERA_RANK_SQUARES(small_, 3, small_rank_knobs)
TESSERA_RANK_SQUARES(small_, 5, small_rank_knobs)

}  // namespace tessera
