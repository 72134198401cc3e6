// SPDX-License-Identifier: Apache-2.0
// The wish for a processor on the device that launches kernels: conditional nodes of graphs, which
// came with CUDA 12.4. The body of the loop makes two steps, an even one and an odd one, each with
// a kernel that adds up its changes; the last of them says whether the loop goes on.
#include "ops/cells/study/mgvf_sample.cuh"

namespace tessera {

/// One step of the field.
extern "C" __global__ void mgvf_graph_step(const __grid_constant__ TrackArgs a) {
  __shared__ float shared[kMgvfThreads];
  if (a.state->done) return;
  mgvf_step_with_sums(a, shared);
}

/// Adds up the changes of that step, and ends the loop.
extern "C" __global__ void mgvf_graph_check(const __grid_constant__ GraphCheckArgs a) {
  __shared__ float shared[kMgvfThreads];
  float change = 0;
  for (int k = static_cast<int>(threadIdx.x); k < a.track.blocks; k += static_cast<int>(blockDim.x))
    change += a.track.sums[k];
  const float sum = block_sum(change, shared);
  if (threadIdx.x != 0) return;
  MgvfState& state = *a.track.state;
  if (!state.done) {
    ++state.steps;
    state.done = sum <= a.track.limit || state.steps == kMostMgvfSteps;
  }
  if (a.loop) cudaGraphSetConditional(a.loop, state.done ? 0 : 1);
}

}  // namespace tessera
