// SPDX-License-Identifier: Apache-2.0
// Blocks that work on one film together: they add up sums in a fixed order and wait for each other.
#pragma once

#include "ops/cells/scene/cuda/cells_still_args.cuh"

namespace tessera {

/// The blocks of a film. All of them take the same decisions, from the same sums.
class CellsTeam {
 public:
  __device__ explicit CellsTeam(CellsDriftTalk& talk) : talk_(talk) {}

  /// Where this block's part of the next meeting goes.
  __device__ double* told(int part) { return talk_.sums[meetings_ % 2][part]; }
  /// A sum that another block told at the last meeting, read past this processor's cache.
  __device__ double heard(int part, int which) const {
    return __ldcg(&talk_.sums[(meetings_ + 1) % 2][part][which]);
  }
  /// Waits for the other blocks; all that they wrote is then visible. The sums of a meeting are
  /// overwritten two meetings later, when all have read them.
  __device__ void meet() {
    ++meetings_;
    __syncthreads();
    if (gridDim.x == 1) return;
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(&talk_.arrived, 1U);
      const volatile unsigned& arrived = talk_.arrived;
      while (arrived < meetings_ * gridDim.x) __nanosleep(20);
      __threadfence();
    }
    __syncthreads();
  }
  /// The last block leaves the memory as the first one found it.
  __device__ void leave() {
    if (gridDim.x == 1 || threadIdx.x > 0) return;
    if (atomicAdd(&talk_.left, 1U) < gridDim.x - 1) return;
    talk_.arrived = 0;
    talk_.left = 0;
  }

 private:
  CellsDriftTalk& talk_;
  unsigned meetings_ = 0;
};

/// The samples of a part.
struct CellsDriftPart {
  long long first, end;
  __device__ CellsDriftPart(long long samples, int part) {
    const long long length = (samples + kCellsDriftParts - 1) / kCellsDriftParts;
    first = min(part * length, samples);
    end = min(first + length, samples);
  }
};

/// Calls use(i) for this block's samples.
template <class Use>
__device__ void cells_each_own(long long samples, Use use) {
  for (int part = blockIdx.x; part < kCellsDriftParts; part += gridDim.x) {
    const CellsDriftPart own(samples, part);
    for (long long i = own.first + threadIdx.x; i < own.end; i += kCellsDriftThreads)
      use(static_cast<int>(i));
  }
}

/// Adds up what sum(first, end, values) gives for every thread's samples first, first + step … of a
/// part, in a fixed order; all threads of all blocks get the results.
template <int N, class Sum>
__device__ void cells_add_up(CellsTeam& team, long long samples, double (&values)[N], Sum sum) {
  static_assert(N <= kCellsDriftSums);
  __shared__ double warps[kCellsDriftThreads / 32][kCellsDriftSums];
  for (int part = blockIdx.x; part < kCellsDriftParts; part += gridDim.x) {
    const CellsDriftPart own(samples, part);
    for (double& value : values) value = 0;
    sum(own.first + threadIdx.x, own.end, values);
    for (double& value : values)
      for (int reach = 16; reach > 0; reach /= 2) value += __shfl_xor_sync(~0U, value, reach);
    __syncthreads();
    if (threadIdx.x % 32 == 0)
      for (int k = 0; k < N; ++k) warps[threadIdx.x / 32][k] = values[k];
    __syncthreads();
    if (threadIdx.x < N) {
      double all = 0;
      for (int warp = 0; warp < kCellsDriftThreads / 32; ++warp) all += warps[warp][threadIdx.x];
      team.told(part)[threadIdx.x] = all;
    }
  }
  team.meet();
  if (threadIdx.x < N) {
    double all = 0;
    for (int part = 0; part < kCellsDriftParts; ++part) all += team.heard(part, threadIdx.x);
    warps[0][threadIdx.x] = all;
  }
  __syncthreads();
  for (int k = 0; k < N; ++k) values[k] = warps[0][k];
  __syncthreads();
}

}  // namespace tessera
