// SPDX-License-Identifier: Apache-2.0
// Rung 4 with filter and block known to the compiler, which is called at run time: half of the
// paper's unrolled pair at 5x5. The other half is rung 8 without tiling.
#pragma once

#include "ops/convolve/study/r08_unrolled.cuh"

namespace tessera {

template <UnrolledKnobs K>
__device__ void one_element_unrolled(const LadderConstants& c) {
  extern __shared__ float tile[];
  constexpr int kMadeX = K.block_x - K.filter_width + 1, kMadeY = K.block_y - K.filter_height + 1;
  const LadderArgs& a = c.ladder;
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  const int x = static_cast<int>(blockIdx.x) * kMadeX + tx;
  const int y = static_cast<int>(blockIdx.y) * kMadeY + ty;
  float* const mine = tile + ty * K.tile_row + tx;
  *mine = a.in[y * a.in_row + x];
  __syncthreads();
  if (tx >= kMadeX || ty >= kMadeY || x >= a.width || y >= a.height) return;
  float sum[1] = {};
#pragma unroll
  for (int j = 0; j < K.filter_height; ++j)
    add_filter_row<K>(mine + j * K.tile_row, c.weights + j * K.filter_width, sum);
  a.out[y * a.out_row + x] = sum[0];
}

}  // namespace tessera
