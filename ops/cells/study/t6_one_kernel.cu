// SPDX-License-Identifier: Apache-2.0
// One kernel: every block first adds up the changes of the previous launch, then makes the next
// step. The first block to find convergence records it for later launches, whose sums are older
// ones.
#include "ops/cells/study/mgvf_sample.cuh"

namespace tessera {

extern "C" __global__ void mgvf_sum_then_step(const __grid_constant__ TrackArgs a) {
  __shared__ float shared[kMgvfThreads];
  if (a.state->done) return;
  if (a.step > 0) {
    float change = 0;
    for (int k = static_cast<int>(threadIdx.x); k < a.blocks; k += static_cast<int>(blockDim.x))
      change += a.sums_before[k];
    if (block_sum(change, shared) <= a.limit) {
      if (threadIdx.x == 0 && blockIdx.x == 0) *a.state = {1, a.step};
      return;
    }
    __syncthreads();  // the sum is read by all before its place is used again
  }
  mgvf_step_with_sums(a, shared);
}

}  // namespace tessera
