// SPDX-License-Identifier: Apache-2.0
// Rung 10b, the talk's padded form: weights in constant memory, and a shared tile three blocks wide
// and high, of which every thread loads nine pixels, a block apart: one of its own block and eight
// of the apron, however small the filter is.
#include "ops/convolve/study/ladder_args.cuh"

namespace tessera {

extern "C" __global__ void nine_pixels(const __grid_constant__ LadderConstants c) {
  constexpr int kBlock = 32, kTile = 3 * kBlock;  // filters up to 65x65
  __shared__ float tile[kTile][kTile];
  const LadderArgs& a = c.ladder;
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  const int x = static_cast<int>(blockIdx.x) * kBlock + tx;
  const int y = static_cast<int>(blockIdx.y) * kBlock + ty;
  for (int j = 0; j < kTile; j += kBlock)
    for (int i = 0; i < kTile; i += kBlock) tile[ty + j][tx + i] = a.in[(y + j) * a.in_row + x + i];
  __syncthreads();
  if (x >= a.width || y >= a.height) return;
  float sum = 0;
  for (int j = 0; j < a.filter_height; ++j)
    for (int i = 0; i < a.filter_width; ++i)
      sum = __fmaf_rn(tile[ty + j][tx + i], c.weights[j * a.filter_width + i], sum);
  a.out[y * a.out_row + x] = sum;
}

}  // namespace tessera
