// SPDX-License-Identifier: Apache-2.0
// Rung 4, which the paper beats: the tile is as large as the block, so a thread loads one element;
// the threads over the border then have nothing to compute. A filter as large as the block leaves
// one thread at work.
#include "ops/convolve/study/ladder_args.cuh"

namespace tessera {

extern "C" __global__ void one_element(const __grid_constant__ LadderConstants c) {
  extern __shared__ float tile[];
  const LadderArgs& a = c.ladder;
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  const int made_x = static_cast<int>(blockDim.x) - a.filter_width + 1;
  const int made_y = static_cast<int>(blockDim.y) - a.filter_height + 1;
  const int x = static_cast<int>(blockIdx.x) * made_x + tx;
  const int y = static_cast<int>(blockIdx.y) * made_y + ty;
  tile[ty * a.tile_row + tx] = a.in[y * a.in_row + x];
  __syncthreads();
  if (tx >= made_x || ty >= made_y || x >= a.width || y >= a.height) return;
  float sum = 0;
  for (int j = 0; j < a.filter_height; ++j)
    for (int i = 0; i < a.filter_width; ++i)
      sum = __fmaf_rn(tile[(ty + j) * a.tile_row + tx + i], c.weights[j * a.filter_width + i], sum);
  a.out[y * a.out_row + x] = sum;
}

}  // namespace tessera
