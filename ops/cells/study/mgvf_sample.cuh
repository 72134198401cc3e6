// SPDX-License-Identifier: Apache-2.0
// Shared by the tracking rungs: one sample of the field after a Jacobi step, and sums of a block.
#pragma once

#include "ops/cells/study/track_args.cuh"

namespace tessera {

/// 0 below and 1 above zero, nearly: the published step function.
__device__ inline float heaviside(float z) { return atanf(z * 1e10F) * (1 / 3.14159F) + 0.5F; }

/// The flow is (1, 1): up and left count if they are lower, down and right if they are higher, the
/// two across always half.
__device__ inline float mgvf_sample(const float* edges, const float* from, int width, int height,
                                    int at) {
  const int x = at % width, y = at / width;
  const int up = y > 0 ? -width : 0, down = y < height - 1 ? width : 0;
  const int left = x > 0 ? -1 : 0, right = x < width - 1 ? 1 : 0;
  const float centre = from[at];
  const auto part = [&](int offset, float weight) {
    const float difference = from[at + offset] - centre;
    return heaviside(difference * weight) * difference;
  };
  const float sum = part(up, -1) + part(down, 1) + part(left, -1) + part(right, 1) +
                    part(up + right, 0) + part(down + right, 2) + part(up + left, -2) +
                    part(down + left, 0);
  const float spread = centre + 0.1F * sum;
  return spread - 0.2F * edges[at] * (spread - edges[at]);
}

/// The sum over the block, for all its threads; `shared` has one place per thread and may be used
/// again after the next barrier.
__device__ inline float block_sum(float value, float* shared) {
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  shared[thread] = value;
  __syncthreads();
  for (int count = threads; count > 1;) {
    const int half = (count + 1) / 2;
    if (thread < count - half) shared[thread] += shared[thread + half];
    count = half;
    __syncthreads();
  }
  return shared[0];
}

/// Writes the thread's sample, and the block's sum of changes.
__device__ inline void mgvf_step_with_sums(const TrackArgs& a, float* shared) {
  const int at = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  float change = 0;
  if (at < a.width * a.height) {
    a.to[at] = mgvf_sample(a.edges, a.from, a.width, a.height, at);
    change = fabsf(a.to[at] - a.from[at]);
  }
  const float sum = block_sum(change, shared);
  if (threadIdx.x == 0) a.sums[blockIdx.x] = sum;
}

}  // namespace tessera
