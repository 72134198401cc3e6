// SPDX-License-Identifier: Apache-2.0
// The histogram with one array of counts in device memory: every pixel is an atomic there. A thread
// has a pixel, or a fetch of 4 bytes.
#include "ops/enhance/study/step_pixels.cuh"

namespace tessera {

__device__ inline void count_bytes_of(const StepArgs& a) {
  const ThreadPixel p = thread_pixel<1>(a);
  if (p.inside) atomicAdd(a.counts + a.from[p.y * a.from_row + p.x], 1U);
}

__device__ inline void count_four_of(const StepArgs& a) {
  const ThreadPixel p = thread_pixel<4>(a);
  if (!p.inside) return;
  unsigned grey[1];
  load_words(a.from + p.y * a.from_row + p.x, grey);
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (p.x + k < a.width) atomicAdd(a.counts + byte_of(grey, k), 1U);
}

__device__ inline void clear_counts_of(const StepArgs& a) { a.counts[threadIdx.x] = 0; }

TESSERA_STEP_ENTRY(clear_counts, clear_counts_of)
TESSERA_STEP_ENTRY(count_bytes, count_bytes_of)
TESSERA_STEP_ENTRY(count_four, count_four_of)

}  // namespace tessera
