// SPDX-License-Identifier: Apache-2.0
// Rung 5: 1xN tiling. A block makes N tiles side by side, a thread one pixel of each, a block's
// width apart. A weight and its index serve N multiply-adds, and borders between the tiles are
// loaded once.
//
// Rung 6 is this kernel with padding columns: the host makes tile_row longer (padded_row). Rung 7
// is this kernel with N picked at run time.
#pragma once

#include "ops/convolve/study/ladder_args.cuh"

namespace tessera {

template <int kTiles>
__device__ void tiled(const LadderConstants& c) {
  extern __shared__ float tile[];
  const LadderArgs& a = c.ladder;
  const int block_x = static_cast<int>(blockDim.x), block_y = static_cast<int>(blockDim.y);
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  const int first_x = static_cast<int>(blockIdx.x) * block_x * kTiles;
  const int first_y = static_cast<int>(blockIdx.y) * block_y;
  for (int j = ty; j < block_y + a.filter_height - 1; j += block_y)
    for (int i = tx; i < block_x * kTiles + a.filter_width - 1; i += block_x)
      tile[j * a.tile_row + i] = a.in[(first_y + j) * a.in_row + first_x + i];
  __syncthreads();
  float sum[kTiles] = {};
  for (int j = 0; j < a.filter_height; ++j)
    for (int i = 0; i < a.filter_width; ++i) {
      const float weight = c.weights[j * a.filter_width + i];
#pragma unroll
      for (int t = 0; t < kTiles; ++t)
        sum[t] = __fmaf_rn(tile[(ty + j) * a.tile_row + tx + i + t * block_x], weight, sum[t]);
    }
  const int y = first_y + ty;
  for (int t = 0; t < kTiles; ++t) {
    const int x = first_x + tx + t * block_x;
    if (x < a.width && y < a.height) a.out[y * a.out_row + x] = sum[t];
  }
}

}  // namespace tessera
