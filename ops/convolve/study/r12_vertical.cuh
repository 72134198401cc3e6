// SPDX-License-Identifier: Apache-2.0
// Separable ladder, second pass: a filter of one column. Tiles lie below each other: side by side
// they would share no border. Rows of a warp lie in different banks for every filter.
#pragma once

#include "ops/convolve/study/r11_horizontal.cuh"

namespace tessera {

template <PassKnobs K>
__device__ void vertical(const LadderConstants& c) {
  extern __shared__ float tile[];
  const LadderArgs& a = c.ladder;
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  const int x = static_cast<int>(blockIdx.x) * K.block_x + tx;
  const int first_y = static_cast<int>(blockIdx.y) * K.block_y * K.tiles;
#pragma unroll
  for (int j = ty; j < K.block_y * K.tiles + K.taps - 1; j += K.block_y)
    tile[j * K.tile_row + tx] = a.in[(first_y + j) * a.in_row + x];
  __syncthreads();
  float sum[K.tiles] = {};
#pragma unroll
  for (int j = 0; j < K.taps; ++j)
#pragma unroll
    for (int t = 0; t < K.tiles; ++t)
      sum[t] = __fmaf_rn(tile[(ty + j + t * K.block_y) * K.tile_row + tx], c.weights[j], sum[t]);
#pragma unroll
  for (int t = 0; t < K.tiles; ++t) {
    const int y = first_y + ty + t * K.block_y;
    if (x < a.width && y < a.height) a.out[y * a.out_row + x] = sum[t];
  }
}

}  // namespace tessera
