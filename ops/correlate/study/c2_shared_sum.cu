// SPDX-License-Identifier: Apache-2.0
// Shared aggregation: a block has the shifts of a tile here too, but all its threads work on one
// shift after the other. A thread adds up its columns, then adds that to the block's sum in shared
// memory with an atomic.
#include "ops/correlate/study/shift_pixels.cuh"

namespace tessera {

template <Layout kLayout>
__device__ float column_sum(const ShiftArgs& a, int dx, int dy) {
  float sum = 0;
  for (int column = static_cast<int>(threadIdx.x); column < a.side - dx;
       column += static_cast<int>(blockDim.x))
    for (int row = 0; row < a.side - dy; ++row)
      sum += dot(pixel<kLayout, Path::ca>(a, (dy + row) * a.side + dx + column),
                 pixel<kLayout, Path::ca>(a, row * a.side + column));
  return sum;
}

template <Layout kLayout>
__device__ void shared_sum(const ShiftArgs& a) {
  __shared__ float sum;
  const ThreadShift t = thread_shift(a, a.tile_y);
  for (int k = 0; k < a.tile_x * a.tile_y; ++k) {
    const int dx = t.first_dx + k % a.tile_x, dy = t.first_dy + k / a.tile_x;
    if (dx >= a.shifts || dy >= a.shifts) continue;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, column_sum<kLayout>(a, dx, dy));
    __syncthreads();
    if (threadIdx.x == 0) a.map[dy * a.shifts + dx] = sum;
  }
}

TESSERA_SHIFT_ENTRY(shared_sum_together, shared_sum<Layout::together>)
TESSERA_SHIFT_ENTRY(shared_sum_separate, shared_sum<Layout::separate>)

}  // namespace tessera
