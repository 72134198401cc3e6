// SPDX-License-Identifier: Apache-2.0
// A second kernel finishes the sum. The first does nothing after convergence, so that the host
// may launch both many times before it checks.
#include "ops/cells/study/mgvf_sample.cuh"

namespace tessera {

extern "C" __global__ void mgvf_step_unless_done(const __grid_constant__ TrackArgs a) {
  __shared__ float shared[kMgvfThreads];
  if (a.state->done) return;
  mgvf_step_with_sums(a, shared);
}

extern "C" __global__ void finish_sum(const __grid_constant__ TrackArgs a) {
  __shared__ float shared[kMgvfThreads];
  if (a.state->done) return;
  float change = 0;
  for (int k = static_cast<int>(threadIdx.x); k < a.blocks; k += static_cast<int>(blockDim.x))
    change += a.sums[k];
  const float sum = block_sum(change, shared);
  if (threadIdx.x != 0) return;
  a.state->steps = a.step + 1;
  a.state->done = sum <= a.limit;
}

}  // namespace tessera
