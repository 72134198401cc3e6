// SPDX-License-Identifier: Apache-2.0
// A block has a cell and makes all steps in one launch; the field lies in shared memory, twice.
// Threads take samples in turn, because a cell has ten times as many samples.
#include "ops/cells/study/mgvf_sample.cuh"

namespace tessera {

extern "C" __global__ void __launch_bounds__(kPersistentThreads)
    mgvf_persistent(const __grid_constant__ TrackArgs a) {
  __shared__ float fields[2][kFieldSamples];
  __shared__ float shared[kPersistentThreads];
  const int samples = a.width * a.height, cell = static_cast<int>(blockIdx.x);
  const int first = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  const float* const edges = a.edges + cell * samples;
  for (int at = first; at < samples; at += threads) fields[0][at] = edges[at];
  __syncthreads();
  int step = 0;
  for (bool over = false; !over;) {
    const float* const from = fields[step % 2];
    float* const to = fields[++step % 2];
    float change = 0;
    for (int at = first; at < samples; at += threads) {
      to[at] = mgvf_sample(edges, from, a.width, a.height, at);
      change += fabsf(to[at] - from[at]);
    }
    over = block_sum(change, shared) <= a.limit || step == kMostMgvfSteps;
    __syncthreads();  // the sum is read by all before its place is used again
  }
  for (int at = first; at < samples; at += threads)
    a.to[cell * samples + at] = fields[step % 2][at];
  if (first == 0) a.state[cell] = {1, step};
}

}  // namespace tessera
