// SPDX-License-Identifier: Apache-2.0
// The wish for a fence between blocks, which came with CUDA 9: one launch makes all steps of a
// cell, and its blocks wait for each other after every one. All of them must be on the device at
// once.
#include "ops/cells/study/mgvf_sample.cuh"

namespace tessera {

/// Waits until `all` arrivals were counted; what the blocks wrote before is then visible.
__device__ inline void fence(unsigned* arrived, unsigned all) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1U);
    const volatile unsigned& count = *arrived;
    while (count < all) {
    }
    __threadfence();
  }
  __syncthreads();
}

extern "C" __global__ void mgvf_fence(const __grid_constant__ FenceArgs a) {
  __shared__ float shared[kMgvfThreads];
  TrackArgs now = a.even, next = a.odd;
  int step = 0;
  for (bool over = false; !over;) {
    mgvf_step_with_sums(now, shared);
    fence(&now.state->arrived, static_cast<unsigned>(++step) * gridDim.x);
    float change = 0;
    for (int k = static_cast<int>(threadIdx.x); k < now.blocks; k += static_cast<int>(blockDim.x))
      change += __ldcg(now.sums + k);
    over = block_sum(change, shared) <= now.limit || step == kMostMgvfSteps;
    __syncthreads();  // the sum is read by all before its place is used again
    const TrackArgs swapped = now;
    now = next;
    next = swapped;
  }
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    now.state->done = 1;
    now.state->steps = step;
  }
}

}  // namespace tessera
