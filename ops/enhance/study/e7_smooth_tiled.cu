// SPDX-License-Identifier: Apache-2.0
// Smoothing by two kernels: blocks whose pixels all have their neighbours put 20 by 20 of them into
// shared memory and check nothing; the remaining frame is done pixel by pixel with checks.
#include "ops/enhance/study/step_pixels.cuh"

namespace tessera {

__device__ inline void smooth_tile(const StepArgs& a) {
  constexpr int kSide = kSmoothTile + 2 * kSmoothReach;
  __shared__ unsigned char tile[kSide][kSide];
  const int left = static_cast<int>(blockIdx.x) * kSmoothTile;
  const int top = static_cast<int>(blockIdx.y) * kSmoothTile;
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  for (int k = ty * kSmoothTile + tx; k < kSide * kSide; k += kStepThreads)
    tile[k / kSide][k % kSide] = a.from[(top + k / kSide) * a.from_row + left + k % kSide];
  __syncthreads();
  unsigned sum = 0;
#pragma unroll
  for (int j = 0; j <= 2 * kSmoothReach; ++j)
#pragma unroll
    for (int i = 0; i <= 2 * kSmoothReach; ++i)
      sum += triangle(i - kSmoothReach) * triangle(j - kSmoothReach) * tile[ty + j][tx + i];
  a.out[(top + ty + kSmoothReach) * a.out_row + left + tx + kSmoothReach] =
      static_cast<unsigned char>((sum + 40) / 81);
}

/// Thread k has the k-th pixel of the frame: rows above and below the tiles, then the columns left
/// and right of them.
__device__ inline void smooth_frame(const StepArgs& a) {
  const int right = kSmoothReach + a.tiles_x * kSmoothTile;
  const int bottom = kSmoothReach + a.tiles_y * kSmoothTile;
  const int above = kSmoothReach * a.width, below = (a.height - bottom) * a.width;
  const int beside = a.width - a.tiles_x * kSmoothTile;
  int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  int x, y;
  if (k < above) {
    x = k % a.width, y = k / a.width;
  } else if ((k -= above) < below) {
    x = k % a.width, y = bottom + k / a.width;
  } else {
    k -= below;
    x = k % beside, y = kSmoothReach + k / beside;
    if (x >= kSmoothReach) x += right - kSmoothReach;
    if (y >= bottom) return;
  }
  a.out[y * a.out_row + x] = smooth_with_checks(a, x, y);
}

TESSERA_STEP_ENTRY(smooth_tiles, smooth_tile)
TESSERA_STEP_ENTRY(smooth_border, smooth_frame)

}  // namespace tessera
