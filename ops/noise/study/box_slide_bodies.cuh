// SPDX-License-Identifier: Apache-2.0
// A warp slides along a row: one column enters its histogram, one leaves, and the lanes find the
// quantiles together.
#pragma once

#include "ops/noise/study/box_study_bodies.cuh"

namespace tessera {

inline constexpr unsigned kWholeWarp = 0xffffffffU;

/// The histogram of a warp, and the sums of its groups of bins.
struct WarpHistogram {
  int *bins, *groups;
  int lane;

  __device__ void clear() const {
    for (int k = lane; k < kBoxStudyCounts; k += 32) bins[k] = 0;
    __syncwarp();
  }
  /// A column of the box enters (by = 1) or leaves (by = -1).
  __device__ void change(const BoxStudyArgs& a, const ClippedBox& box, int x, int by) const {
    for (int y = box.top + lane; y < box.bottom; y += 32) {
      const int bin = bin_at(a, x, y);
      atomicAdd(&bins[bin], by);
      atomicAdd(&groups[bin / kBoxStudyGroup], by);
    }
  }
};

/// The position of a rank among 32 counts, one per lane: the first lane whose sum exceeds it, and
/// the sum of those before.
struct WarpPlace {
  int lane, before, in;
};
__device__ inline WarpPlace place_in_warp(int lane, int count, int rank) {
  int sum = count;
  for (int step = 1; step < 32; step *= 2) {
    const int other = __shfl_sync(kWholeWarp, sum, (lane - step) & 31);
    if (lane >= step) sum += other;
  }
  const int first = __ffs(static_cast<int>(__ballot_sync(kWholeWarp, sum > rank))) - 1;
  const int upto = __shfl_sync(kWholeWarp, sum, first), in = __shfl_sync(kWholeWarp, count, first);
  return {first, upto - in, in};
}

__device__ inline double quantile_of_warp(const BoxStudyArgs& a, const WarpHistogram& histogram,
                                          int n, double order) {
  const double h = order * (n - 1);
  const int rank = static_cast<int>(h);
  const WarpPlace group = place_in_warp(histogram.lane, histogram.groups[histogram.lane], rank);
  const int first = group.lane * kBoxStudyGroup;
  const WarpPlace bin =
      place_in_warp(histogram.lane, histogram.bins[first + histogram.lane], rank - group.before);
  return a.bins.quantile(first + bin.lane, h, group.before + bin.before, bin.in);
}

__device__ inline void box_slide(const BoxStudyArgs& a) {
  const int warp = threadIdx.x / 32, first = blockIdx.x * kBoxStudyRun;
  const int y = a.made.first + static_cast<int>(blockIdx.y) * kBoxStudyRows + warp;
  if (y >= a.made.end) return;
  int* const memory = box_study_memory + warp * kBoxStudyCounts;
  const WarpHistogram histogram{memory, memory + kBoxStudyBins, static_cast<int>(threadIdx.x % 32)};
  histogram.clear();
  ClippedBox held = clipped_box(a, first, y);
  for (int x = held.left; x < held.right; ++x) histogram.change(a, held, x, 1);
  const int end = first + kBoxStudyRun < a.width ? first + kBoxStudyRun : a.width;
  for (int x = first; x < end; ++x) {
    const ClippedBox box = clipped_box(a, x, y);
    if (box.right > held.right) histogram.change(a, box, held.right, 1);
    if (box.left > held.left) histogram.change(a, box, held.left, -1);
    held = box;
    __syncwarp();
    const double low = quantile_of_warp(a, histogram, box.values(), 0.25);
    const double middle = quantile_of_warp(a, histogram, box.values(), 0.5);
    const double high = quantile_of_warp(a, histogram, box.values(), 0.75);
    if (histogram.lane == 0) put_background(a, x, y, middle);
    if (histogram.lane == 1) put_rms(a, x, y, low, high);
    __syncwarp();
  }
}

}  // namespace tessera
