// SPDX-License-Identifier: Apache-2.0
// Separable ladder, first pass: a filter of one row. Tiles lie side by side, as in the 2-D ladder,
// so that the border to the left and right is loaded once for all of them. Filter, block and
// tile factor are known to the compiler.
#pragma once

#include "ops/convolve/study/ladder_args.cuh"

namespace tessera {

struct PassKnobs {
  int taps, block_x, block_y, tiles, tile_row;
};

template <PassKnobs K>
__device__ void horizontal(const LadderConstants& c) {
  extern __shared__ float tile[];
  const LadderArgs& a = c.ladder;
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  const int first_x = static_cast<int>(blockIdx.x) * K.block_x * K.tiles;
  const int y = static_cast<int>(blockIdx.y) * K.block_y + ty;
#pragma unroll
  for (int i = tx; i < K.block_x * K.tiles + K.taps - 1; i += K.block_x)
    tile[ty * K.tile_row + i] = a.in[y * a.in_row + first_x + i];
  __syncthreads();
  float sum[K.tiles] = {};
#pragma unroll
  for (int i = 0; i < K.taps; ++i)
#pragma unroll
    for (int t = 0; t < K.tiles; ++t)
      sum[t] = __fmaf_rn(tile[ty * K.tile_row + tx + i + t * K.block_x], c.weights[i], sum[t]);
#pragma unroll
  for (int t = 0; t < K.tiles; ++t) {
    const int x = first_x + tx + t * K.block_x;
    if (x < a.width && y < a.height) a.out[y * a.out_row + x] = sum[t];
  }
}

}  // namespace tessera
