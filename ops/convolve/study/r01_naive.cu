// SPDX-License-Identifier: Apache-2.0
// Rung 1: one thread per pixel. Pixels and weights both come from global memory, 8 bytes for every
// multiply-add: the caches alone determine the speed.
#include "ops/convolve/study/ladder_args.cuh"

namespace tessera {

extern "C" __global__ void naive(const __grid_constant__ LadderArgs a) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= a.width || y >= a.height) return;
  float sum = 0;
  for (int j = 0; j < a.filter_height; ++j)
    for (int i = 0; i < a.filter_width; ++i)
      sum = __fmaf_rn(a.in[(y + j) * a.in_row + x + i], a.filter[j * a.filter_width + i], sum);
  a.out[y * a.out_row + x] = sum;
}

}  // namespace tessera
