// SPDX-License-Identifier: Apache-2.0
// The histogram with one array of counts per block, in shared memory, added to the one in device
// memory at the end. The paper has 4 pixels per thread and proposes 16: a quarter of the arrays to
// add.
#include "ops/enhance/study/step_pixels.cuh"

namespace tessera {

static_assert(kStepLevels == kStepThreads, "a thread clears a count, and adds it");

template <int kPixels>
__device__ void count_shared(const StepArgs& a) {
  __shared__ unsigned counts[kStepLevels];
  const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
  counts[thread] = 0;
  __syncthreads();
  const ThreadPixel p = thread_pixel<kPixels>(a);
  if (p.inside) {
    unsigned grey[kPixels / 4];
    load_words(a.from + p.y * a.from_row + p.x, grey);
#pragma unroll
    for (int k = 0; k < kPixels; ++k)
      if (p.x + k < a.width) atomicAdd(counts + byte_of(grey, k), 1U);
  }
  __syncthreads();
  if (counts[thread]) atomicAdd(a.counts + thread, counts[thread]);
}

/// Every warp has counts of its own, as the paper's last section proposes: threads of a block
/// collide less often, and a block adds up more arrays.
__device__ void count_private(const StepArgs& a) {
  constexpr int kWarps = kStepThreads / 32, kPixels = 16;
  __shared__ unsigned counts[kWarps][kStepLevels];
  const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
  for (int warp = 0; warp < kWarps; ++warp) counts[warp][thread] = 0;
  __syncthreads();
  const ThreadPixel p = thread_pixel<kPixels>(a);
  if (p.inside) {
    unsigned grey[kPixels / 4];
    load_words(a.from + p.y * a.from_row + p.x, grey);
#pragma unroll
    for (int k = 0; k < kPixels; ++k)
      if (p.x + k < a.width) atomicAdd(counts[thread / 32] + byte_of(grey, k), 1U);
  }
  __syncthreads();
  unsigned sum = 0;
  for (int warp = 0; warp < kWarps; ++warp) sum += counts[warp][thread];
  if (sum) atomicAdd(a.counts + thread, sum);
}

TESSERA_STEP_ENTRY(count_shared_four, count_shared<4>)
TESSERA_STEP_ENTRY(count_shared_sixteen, count_shared<16>)
TESSERA_STEP_ENTRY(count_private_sixteen, count_private)

}  // namespace tessera
