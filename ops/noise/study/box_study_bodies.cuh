// SPDX-License-Identifier: Apache-2.0
// Kernels as somebody new to GPUs would write them: one thread per pixel that sorts or selects, one
// block per pixel that counts.
#pragma once

#include "ops/noise/study/box_study_args.cuh"

namespace tessera {

extern __shared__ int box_study_memory[];

/// A pixel of the rows to be made.
struct BoxStudyPixel {
  int x, y;
  long long number;
};
__device__ inline BoxStudyPixel box_study_pixel(const BoxStudyArgs& a, long long number) {
  return {static_cast<int>(number % a.width), a.made.first + static_cast<int>(number / a.width),
          number};
}
__device__ inline long long box_study_pixels(const BoxStudyArgs& a) {
  return 1LL * a.width * a.made.count();
}

/// Values of a box, `step` apart, so that those of neighbouring threads are neighbours.
struct SpreadValues {
  float* first;
  long long step;
  __device__ float& operator[](int k) const { return first[k * step]; }
};

__device__ inline void sift_down(const SpreadValues& values, int at, int n) {
  const float value = values[at];
  for (int child = 2 * at + 1; child < n; child = 2 * at + 1) {
    if (child + 1 < n && values[child + 1] > values[child]) ++child;
    if (values[child] <= value) break;
    values[at] = values[child];
    at = child;
  }
  values[at] = value;
}

__device__ inline void heap_sort(const SpreadValues& values, int n) {
  for (int k = n / 2 - 1; k >= 0; --k) sift_down(values, k, n);
  for (int last = n - 1; last > 0; --last) {
    const float largest = values[0];
    values[0] = values[last];
    values[last] = largest;
    sift_down(values, 0, last);
  }
}

/// The talk's alternative: every box is copied and sorted.
__device__ inline void box_sort(const BoxStudyArgs& a) {
  const BoxStudyPixel at = box_study_pixel(a, 1LL * blockIdx.x * kBoxStudyThreads + threadIdx.x);
  if (at.number >= box_study_pixels(a)) return;
  const SpreadValues values{a.room + at.number, box_study_pixels(a)};
  const ClippedBox box = clipped_box(a, at.x, at.y);
  int n = 0;
  for (int y = box.top; y < box.bottom; ++y)
    for (int x = box.left; x < box.right; ++x) values[n++] = *given_at(a, x, y);
  heap_sort(values, n);
  put_background(a, at.x, at.y, sorted_quantile(values, n, 0.5));
  put_rms(a, at.x, at.y, sorted_quantile(values, n, 0.25), sorted_quantile(values, n, 0.75));
}

inline constexpr int kBoxStudyRanks = 6;  ///< three quantiles, each between two values

/// Keys at the ranks, bit by bit: a candidate is right while no more values than the rank are
/// below it.
__device__ inline void select_keys(const BoxStudyArgs& a, const ClippedBox& box, const int* rank,
                                   unsigned* found) {
  for (int k = 0; k < kBoxStudyRanks; ++k) found[k] = 0;
  for (unsigned bit = 1U << 31; bit != 0; bit >>= 1) {
    int below[kBoxStudyRanks] = {};
    for (int y = box.top; y < box.bottom; ++y)
      for (int x = box.left; x < box.right; ++x) {
        const unsigned key = NoiseKeys<float>::of(*given_at(a, x, y));
        for (int k = 0; k < kBoxStudyRanks; ++k) below[k] += key < (found[k] | bit);
      }
    for (int k = 0; k < kBoxStudyRanks; ++k)
      if (below[k] <= rank[k]) found[k] |= bit;
  }
}

/// Nothing is copied: 32 passes over the box.
__device__ inline void box_select(const BoxStudyArgs& a) {
  const BoxStudyPixel at = box_study_pixel(a, 1LL * blockIdx.x * kBoxStudyThreads + threadIdx.x);
  if (at.number >= box_study_pixels(a)) return;
  const ClippedBox box = clipped_box(a, at.x, at.y);
  const int n = box.values();
  int rank[kBoxStudyRanks];
  for (int k = 0; k < 3; ++k) {
    rank[2 * k] = quantile_place(quarter(k), n).index;
    rank[2 * k + 1] = rank[2 * k] + 1 < n ? rank[2 * k] + 1 : rank[2 * k];
  }
  unsigned found[kBoxStudyRanks];
  select_keys(a, box, rank, found);
  double quantile[3];
  for (int k = 0; k < 3; ++k)
    quantile[k] =
        between(NoiseKeys<float>::value(found[2 * k]), NoiseKeys<float>::value(found[2 * k + 1]),
                quantile_place(quarter(k), n).fraction);
  put_background(a, at.x, at.y, quantile[1]);
  put_rms(a, at.x, at.y, quantile[0], quantile[2]);
}

/// Searches the group that holds the rank, then its bins.
__device__ inline double grouped_quantile(const BoxStudyArgs& a, int n, double order) {
  const int* const groups = box_study_memory + kBoxStudyBins;
  const int index = quantile_place(order, n).index;
  int group = 0, before = 0;
  for (; before + groups[group] <= index; ++group) before += groups[group];
  return counted_quantile(a, box_study_memory, n, order, group * kBoxStudyGroup, before);
}

/// One block per pixel, its histogram in shared memory.
__device__ inline void box_histogram(const BoxStudyArgs& a) {
  int* const counts = box_study_memory;
  const int thread = threadIdx.x;
  const BoxStudyPixel at = box_study_pixel(a, blockIdx.x);
  const ClippedBox box = clipped_box(a, at.x, at.y);
  for (int bin = thread; bin < kBoxStudyBins; bin += kBoxStudyThreads) counts[bin] = 0;
  __syncthreads();
  for (int k = thread; k < box.values(); k += kBoxStudyThreads)
    atomicAdd(&counts[bin_at(a, box.left + k % box.width(), box.top + k / box.width())], 1);
  __syncthreads();
  if (thread < kBoxStudyGroups) {
    int sum = 0;
    for (int k = 0; k < kBoxStudyGroup; ++k) sum += counts[thread * kBoxStudyGroup + k];
    counts[kBoxStudyBins + thread] = sum;
  }
  __syncthreads();
  const int n = box.values();
  if (thread == 0)
    put_rms(a, at.x, at.y, grouped_quantile(a, n, 0.25), grouped_quantile(a, n, 0.75));
  if (thread == 1) put_background(a, at.x, at.y, grouped_quantile(a, n, 0.5));
}

}  // namespace tessera
