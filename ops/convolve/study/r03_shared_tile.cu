// SPDX-License-Identifier: Apache-2.0
// Rung 3: a block copies its pixels and the border around them to shared memory, once, and all its
// threads compute. The tile is larger than the block, so some threads load several elements.
#include "ops/convolve/study/ladder_args.cuh"

namespace tessera {

extern "C" __global__ void shared_tile(const __grid_constant__ LadderConstants c) {
  extern __shared__ float tile[];
  const LadderArgs& a = c.ladder;
  const int block_x = static_cast<int>(blockDim.x), block_y = static_cast<int>(blockDim.y);
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  const int first_x = static_cast<int>(blockIdx.x) * block_x;
  const int first_y = static_cast<int>(blockIdx.y) * block_y;
  for (int j = ty; j < block_y + a.filter_height - 1; j += block_y)
    for (int i = tx; i < block_x + a.filter_width - 1; i += block_x)
      tile[j * a.tile_row + i] = a.in[(first_y + j) * a.in_row + first_x + i];
  __syncthreads();
  const int x = first_x + tx, y = first_y + ty;
  if (x >= a.width || y >= a.height) return;
  float sum = 0;
  for (int j = 0; j < a.filter_height; ++j)
    for (int i = 0; i < a.filter_width; ++i)
      sum = __fmaf_rn(tile[(ty + j) * a.tile_row + tx + i], c.weights[j * a.filter_width + i], sum);
  a.out[y * a.out_row + x] = sum;
}

}  // namespace tessera
