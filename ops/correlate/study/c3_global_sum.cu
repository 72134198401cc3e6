// SPDX-License-Identifier: Apache-2.0
// Global aggregation: all blocks work on one shift, then on the next. A thread has a few pixels of
// the overlap, `shifts` apart; atomics add them to the block's sum in shared memory, and that to
// the map in device memory, which has to be cleared first.
#include "ops/correlate/study/shift_pixels.cuh"

namespace tessera {

/// The sum over those pixels of the overlap at shift dx, dy that the thread at (t.dx, t.dy) has.
template <Layout kLayout>
__device__ float part_of_shift(const ShiftArgs& a, const ThreadShift& t, int dx, int dy) {
  float sum = 0;
  for (int row = t.dy; row < a.side - dy; row += a.shifts)
    for (int column = t.dx; column < a.side - dx; column += a.shifts)
      sum += dot(pixel<kLayout, Path::ca>(a, (dy + row) * a.side + dx + column),
                 pixel<kLayout, Path::ca>(a, row * a.side + column));
  return sum;
}

template <Layout kLayout>
__device__ void global_sum(const ShiftArgs& a) {
  __shared__ float sum;
  const ThreadShift t = thread_shift(a, a.tile_y);
  for (int dy = 0; dy < a.shifts; ++dy)
    for (int dx = 0; dx < a.shifts; ++dx) {
      if (threadIdx.x == 0) sum = 0;
      __syncthreads();
      if (t.works) atomicAdd(&sum, part_of_shift<kLayout>(a, t, dx, dy));
      __syncthreads();
      if (threadIdx.x == 0) atomicAdd(a.map + dy * a.shifts + dx, sum);
    }
}

__device__ inline void clear_map(const ShiftArgs& a) {
  const int at = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (at < a.shifts * a.shifts) a.map[at] = 0;
}

TESSERA_SHIFT_ENTRY(global_sum_clear, clear_map)
TESSERA_SHIFT_ENTRY(global_sum_together, global_sum<Layout::together>)
TESSERA_SHIFT_ENTRY(global_sum_separate, global_sum<Layout::separate>)

}  // namespace tessera
