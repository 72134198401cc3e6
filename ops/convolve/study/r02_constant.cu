// SPDX-License-Identifier: Apache-2.0
// Rung 2: the weights lie in the constant bank, where one read serves a warp. Global memory is read
// for pixels only: half the loads of rung 1.
#include "ops/convolve/study/ladder_args.cuh"

namespace tessera {

extern "C" __global__ void constant_filter(const __grid_constant__ LadderConstants c) {
  const LadderArgs& a = c.ladder;
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= a.width || y >= a.height) return;
  float sum = 0;
  for (int j = 0; j < a.filter_height; ++j)
    for (int i = 0; i < a.filter_width; ++i)
      sum = __fmaf_rn(a.in[(y + j) * a.in_row + x + i], c.weights[j * a.filter_width + i], sum);
  a.out[y * a.out_row + x] = sum;
}

}  // namespace tessera
