// SPDX-License-Identifier: Apache-2.0
// From counts to curves, one block per plane and group: every thread has a few neighbouring values;
// their sums are scanned, so that the integers equal those of one thread going through all values.
#pragma once

#include "ops/enhance/cuda/enhance_args.cuh"
#include "ops/enhance/parts/enhance_curves.cuh"

namespace tessera {

__device__ inline void enhance_clear(const EnhanceClearArgs& a) {
  const long long k = 1LL * blockIdx.x * blockDim.x + threadIdx.x;
  if (k < a.count) a.values[k] = 0;
}

/// The sum of the values of all threads before this one; `total`: of all threads.
__device__ inline unsigned long long sum_before(unsigned long long mine,
                                                unsigned long long& total) {
  __shared__ unsigned long long warps[kCurveThreads / 32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned long long sum = mine;
  for (unsigned d = 1; d < 32; d *= 2) {
    const unsigned long long other = __shfl_up_sync(~0U, sum, d);
    if (lane >= d) sum += other;
  }
  if (lane == 31) warps[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    unsigned long long all = warps[lane];
    for (unsigned d = 1; d < 32; d *= 2) {
      const unsigned long long other = __shfl_up_sync(~0U, all, d);
      if (lane >= d) all += other;
    }
    warps[lane] = all;
  }
  __syncthreads();
  total = warps[31];
  return sum - mine + (warp > 0 ? warps[warp - 1] : 0);
}

/// A thread's share of the values, and the pixels darker than its first.
struct EnhanceLevels {
  const unsigned long long* counts;
  int first, end, levels;
  unsigned long long before, after, total;
};

/// The smallest value with at least `rank` pixels at or below it, as in value_of_rank: the thread
/// that has it writes it.
__device__ inline void find_rank(const EnhanceLevels& l, long long rank, int* found) {
  if (rank <= 0) {
    if (l.first == 0 && l.end > 0) *found = 0;
    return;
  }
  auto seen = static_cast<long long>(l.before);
  if (seen >= rank || static_cast<long long>(l.after) < rank) return;
  int v = l.first;
  for (;; ++v) {
    seen += static_cast<long long>(l.counts[v]);
    if (seen >= rank) break;
  }
  *found = v;
}

__device__ inline ContrastLimits find_limits(const EnhanceCurveArgs& a, const EnhanceLevels& l) {
  __shared__ int low, high;
  if (threadIdx.x == 0) {
    low = a.by_threshold ? l.levels : l.levels - 1;
    high = a.by_threshold ? -1 : l.levels - 1;
  }
  __syncthreads();
  if (a.by_threshold) {
    for (int v = l.first; v < l.end; ++v)
      if (static_cast<long long>(l.counts[v]) > a.threshold) {
        atomicMin(&low, v);
        atomicMax(&high, v);
      }
  } else {
    find_rank(l, rank_of_share(a.low, l.total), &low);
    find_rank(l, rank_of_share(a.high, l.total), &high);
  }
  __syncthreads();
  return limits_or_none(low, high);
}

/// Pixels with the darkest value present.
__device__ inline unsigned long long find_darkest(const EnhanceLevels& l) {
  __shared__ unsigned long long darkest;
  if (threadIdx.x == 0) darkest = 0;
  __syncthreads();
  if (l.before == 0 && l.after > 0)
    for (int v = l.first; v < l.end; ++v)
      if (l.counts[v]) {
        darkest = l.counts[v];
        break;
      }
  __syncthreads();
  return darkest;
}

__device__ inline void enhance_curves(const EnhanceCurveArgs& a) {
  const long long group = blockIdx.x;
  const int each = (a.levels + kCurveThreads - 1) / kCurveThreads;
  const int first = static_cast<int>(threadIdx.x) * each;
  EnhanceLevels l{
      a.counts + group * a.levels, first < a.levels ? first : a.levels, 0, a.levels, 0, 0, 0};
  l.end = first + each < a.levels ? first + each : a.levels;
  unsigned long long mine = 0;
  for (int v = l.first; v < l.end; ++v) mine += l.counts[v];
  l.before = sum_before(mine, l.total);
  l.after = l.before + mine;
  unsigned short* curve = a.curve + group * a.levels;
  if (a.equalise) {
    const unsigned long long darkest = find_darkest(l);
    unsigned long long seen = l.before;
    for (int v = l.first; v < l.end; ++v) {
      seen += l.counts[v];
      curve[v] = static_cast<unsigned short>(equalise_value(v, seen, darkest, l.total, l.levels));
    }
    return;
  }
  const ContrastLimits limits = find_limits(a, l);
  for (int v = l.first; v < l.end; ++v)
    curve[v] = static_cast<unsigned short>(contrast_value(v, limits, l.levels));
  if (threadIdx.x == 0) {
    a.limits[2 * group] = limits.low;
    a.limits[2 * group + 1] = limits.high;
  }
}

}  // namespace tessera
