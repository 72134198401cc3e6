// SPDX-License-Identifier: Apache-2.0
// Adaptive equalisation: the tables between its sweeps. The integers of enhance_clahe_curves.cpp,
// one thread per bin.
#pragma once

#include "ops/enhance/clahe/cuda/enhance_clahe_pixels.cuh"

namespace tessera {

/// The bin of each 16-bit value.
__device__ inline void clahe_bins(const ClaheArgs& a) {
  const int value = blockIdx.x * kClaheThreads + threadIdx.x;
  for (int group = blockIdx.z; group < clahe_groups(a); group += gridDim.z) {
    const ClaheFound found = a.found[group];
    if (value >= found.low && value <= found.high && !clahe_is_flat(found))
      a.tables[group * a.tables_size + value] =
          static_cast<unsigned short>(clahe_bin(value, found.low, found.high));
  }
}

/// The result for each level.
__device__ inline void clahe_results(const ClaheArgs& a) {
  const int level = blockIdx.x * kClaheThreads + threadIdx.x;
  for (int group = blockIdx.z; group < clahe_groups(a); group += gridDim.z) {
    const ClaheFound found = a.found[group];
    if (level >= found.low_level && level <= found.high_level)
      a.tables[group * a.tables_size + a.bins_size + a.tiles_size + level] =
          static_cast<unsigned short>(
              clahe_stretched(level, found.low_level, found.high_level, a.most));
  }
}

/// The sum over all bins up to this thread's; `values` is shared and overwritten.
__device__ inline long long clahe_sum_up_to(long long value, long long* values) {
  const int bin = threadIdx.x;
  values[bin] = value;
  for (int reach = 1; reach < kClaheBins; reach *= 2) {
    __syncthreads();
    const long long before = bin >= reach ? values[bin - reach] : 0;
    __syncthreads();
    value += before;
    values[bin] = value;
  }
  __syncthreads();
  return value;
}

/// This thread's bin, clipped, plus its share of the counts clipped from all bins.
__device__ inline long long clahe_clipped(long long bin, long long limit, long long* values) {
  clahe_sum_up_to(bin > limit ? bin - limit : 0, values);
  long long excess = values[kClaheBins - 1];
  __syncthreads();
  if (bin > limit) bin = limit;
  const long long share = excess / kClaheBins, before = bin;
  if (bin < limit - share) bin += share;
  if (bin >= limit - share) bin = limit;
  clahe_sum_up_to(bin - before, values);
  excess -= values[kClaheBins - 1];
  __syncthreads();
  for (long long last = -1; excess > 0 && excess != last;) {
    last = excess;
    for (int first = 0; first < kClaheBins && excess > 0; ++first) {
      const int room = __syncthreads_count(bin < limit);
      const long long step = room / excess > 1 ? room / excess : 1;
      const int place = static_cast<int>(threadIdx.x) - first;
      const bool takes = bin < limit && place >= 0 && place % step == 0;
      bin += takes ? 1 : 0;
      excess -= __syncthreads_count(takes);
    }
  }
  return bin;
}

/// A block makes the curve of one tile.
template <class T>
__device__ void clahe_curves(const ClaheArgs& a) {
  __shared__ unsigned long long bins[kClaheBins];
  __shared__ long long values[kClaheBins];
  __shared__ unsigned short levels[kClaheBins];
  const int slot = threadIdx.x;
  const long long tile = blockIdx.x;
  for (int group = blockIdx.z; group < clahe_groups(a); group += gridDim.z) {
    const ClaheFound found = a.found[group];
    if (clahe_is_flat(found)) continue;
    bins[slot] = 0;
    __syncthreads();
    const int inside = min(max(slot, found.low), found.high);
    const int bin = sizeof(T) == 1 ? clahe_bin(inside, found.low, found.high) : slot;
    atomicAdd(&bins[bin], a.counts[group * a.tiles_size + tile * kClaheBins + slot]);
    __syncthreads();
    const long long clipped =
        clahe_clipped(static_cast<long long>(bins[slot]), static_cast<long long>(a.limit), values);
    const long long sum = clahe_sum_up_to(clipped, values);
    levels[slot] = clahe_curve(static_cast<unsigned long long>(sum), a.tile_samples);
    __syncthreads();
    a.tables[group * a.tables_size + a.bins_size + tile * kClaheBins + slot] = levels[bin];
    __syncthreads();
  }
}

}  // namespace tessera
