// SPDX-License-Identifier: Apache-2.0
// Scores of circles around every centre, and their maxima.
#pragma once

#include "ops/cells/cells_model.cuh"
#include "ops/cells/cuda/cells_image_args.cuh"

namespace tessera {

/// Whether a score has the wanted sign and is larger than the best so far.
__device__ inline bool cells_better(float score, float best, int sign) {
  return score * static_cast<float>(sign) >= 0 && score * score > best * best;
}

/// A thread has kCellsGicovRows centres of a column, so that the sums of each circle's pixels are
/// read once for all.
__device__ inline void cells_gicov(const CellsGicovArgs& a) {
  constexpr int kStep = kCellsGicovThreads / kCellsGicovWidth;
  const int x = blockIdx.x * kCellsGicovWidth + threadIdx.x % kCellsGicovWidth;
  const int top = blockIdx.y * kStep * kCellsGicovRows + threadIdx.x / kCellsGicovWidth;
  if (x >= a.region.width || top >= a.region.height) return;
  const int plane = blockIdx.z;
  if (x == 0 && top == 0) a.counts[plane] = 0;
  const long long first =
      plane / a.films * a.frame_step + 1LL * (plane % a.films) * a.width * a.height;
  const float *across = a.across + first, *down = a.down + first;
  const float floor = a.floors[first / (1LL * a.width * a.height)];
  int centres[kCellsGicovRows];
  for (int k = 0; k < kCellsGicovRows; ++k) {
    const int y = min(top + k * kStep, a.region.height - 1);
    centres[k] = (a.region.y + y) * a.width + a.region.x + x;
  }
  float best[kCellsGicovRows] = {};
  int circle[kCellsGicovRows] = {};
  for (int r = 0, rim = 0; r < a.radii; ++r) {
    float sums[kCellsGicovRows] = {}, squares[kCellsGicovRows] = {};
    for (const int end = a.rim_ends[r]; rim < end; ++rim) {
      const CellsRim c = a.rims[rim];
#pragma unroll
      for (int k = 0; k < kCellsGicovRows; ++k) {
        const float gx = __ldg(across + centres[k] + c.offset);
        const float gy = __ldg(down + centres[k] + c.offset);
        sums[k] = fmaf(c.cosine, gx, fmaf(c.sine, gy, sums[k]));
        const float along = fmaf(c.cosine_cosine, gx, c.cosine_sine_twice * gy);
        squares[k] = fmaf(gx, along, fmaf(c.sine_sine * gy, gy, squares[k]));
      }
    }
#pragma unroll
    for (int k = 0; k < kCellsGicovRows; ++k) {
      const float score = circle_score(sums[k], squares[k], a.samples, floor);
      if (!cells_better(score, best[k], a.sign)) continue;
      best[k] = score;
      circle[k] = r;
    }
  }
  for (int k = 0; k < kCellsGicovRows; ++k) {
    const int y = top + k * kStep;
    if (y >= a.region.height) break;
    const long long place = (1LL * plane * a.region.height + y) * a.region.width + x;
    a.scores[place] = best[k];
    a.best[place] = static_cast<unsigned char>(circle[k]);
  }
}

/// Whether no pixel of the disk around (x, y) is larger, and no earlier one is equal.
__device__ inline bool cells_is_largest(const CellsMaximaArgs& a, const float* scores, int x,
                                        int y) {
  const float own = cell_abs(scores[1LL * y * a.region.width + x]);
  for (int j = -a.reach; j <= a.reach; ++j)
    for (int i = -a.reach; i <= a.reach; ++i) {
      const int u = x + i, v = y + j;
      if (i * i + j * j > a.reach * a.reach || u < 0 || v < 0 || u >= a.region.width ||
          v >= a.region.height)
        continue;
      const float other = cell_abs(scores[1LL * v * a.region.width + u]);
      if (other > own || (other == own && (j < 0 || (j == 0 && i < 0)))) return false;
    }
  return true;
}

/// The candidates of a plane, in any order: the reader sorts them by place.
__device__ inline void cells_maxima(const CellsMaximaArgs& a) {
  const int x = blockIdx.x * kCellsGicovWidth + threadIdx.x % kCellsGicovWidth;
  const int y =
      blockIdx.y * (kCellsGicovThreads / kCellsGicovWidth) + threadIdx.x / kCellsGicovWidth;
  if (x >= a.region.width || y >= a.region.height) return;
  const long long first = 1LL * blockIdx.z * a.region.width * a.region.height;
  const int place = y * a.region.width + x;
  const float score = a.scores[first + place];
  if (!(fabsf(score) > a.threshold) || !cells_is_largest(a, a.scores + first, x, y)) return;
  const int index = atomicAdd(&a.counts[blockIdx.z], 1);
  if (index < a.most)
    a.found[1LL * blockIdx.z * a.most + index] = {place, a.best[first + place], score};
}

}  // namespace tessera
