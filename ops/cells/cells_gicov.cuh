// SPDX-License-Identifier: Apache-2.0
// Scores of circles round every centre, and where they are largest.
#pragma once

#include "ops/cells/cells_image_args.cuh"

namespace tessera {

/// The best circle so far of one centre.
struct CellsBest {
  float measure = 0, score = 0;  ///< m^2 / v, and m / sqrt(v)
  int radius = 0;

  __device__ void take(float sum, float squares, int samples, int sign, int index) {
    const float n = static_cast<float>(samples), mean = sum / n;
    const float variance = (squares - sum * mean) / (n - 1);
    if (!(variance > 0) || mean * static_cast<float>(sign) < 0) return;
    const float found = mean * mean / variance;
    if (!(found > measure)) return;
    measure = found;
    score = mean / sqrtf(variance);
    radius = index;
  }
};

/// A thread has kCellsGicovRows centres of a column, so that each rim's sums are read once for all.
__device__ inline void cells_gicov(const CellsGicovArgs& a) {
  constexpr int kStep = kCellsGicovThreads / kCellsGicovWidth;
  const int x = blockIdx.x * kCellsGicovWidth + threadIdx.x % kCellsGicovWidth;
  const int top = blockIdx.y * kStep * kCellsGicovRows + threadIdx.x / kCellsGicovWidth;
  if (x >= a.region.width) return;
  const int plane = blockIdx.z;
  const long long first =
      plane / a.films * a.frame_step + 1LL * (plane % a.films) * a.width * a.height;
  int centres[kCellsGicovRows];
  bool inside[kCellsGicovRows], any = false;
  for (int k = 0; k < kCellsGicovRows; ++k) {
    const int fx = a.region.x + x, fy = a.region.y + top + k * kStep;
    inside[k] = top + k * kStep < a.region.height && fx >= a.margin && fy >= a.margin &&
                fx < a.width - a.margin && fy < a.height - a.margin;
    any = any || inside[k];
    // A centre that does not count reads where one does, rather than outside the frame.
    const int clear = min(a.margin, min((a.width - 1) / 2, (a.height - 1) / 2));
    centres[k] = (inside[k] ? fy : clear) * a.width + (inside[k] ? fx : clear);
  }
  const float *across = a.across + first, *down = a.down + first;
  CellsBest best[kCellsGicovRows];
  for (int r = 0, rim = 0; any && r < a.radii; ++r) {
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
    for (int k = 0; k < kCellsGicovRows; ++k)
      best[k].take(sums[k], squares[k], a.samples, a.sign, r);
  }
  for (int k = 0; k < kCellsGicovRows; ++k) {
    const int y = top + k * kStep;
    if (y >= a.region.height) break;
    const long long place = (1LL * blockIdx.z * a.region.height + y) * a.region.width + x;
    a.scores[place] = inside[k] ? best[k].score : 0.0F;
    a.best[place] = static_cast<unsigned char>(inside[k] ? best[k].radius : 0);
  }
}

/// Whether no pixel of the disk round (x, y) is larger, nor an earlier one as large.
__device__ inline bool cells_is_largest(const CellsMaximaArgs& a, const float* scores, int x,
                                        int y) {
  const float own = scores[1LL * y * a.region.width + x] * scores[1LL * y * a.region.width + x];
  for (int j = -a.reach; j <= a.reach; ++j)
    for (int i = -a.reach; i <= a.reach; ++i) {
      const int u = x + i, v = y + j;
      if (i * i + j * j > a.reach * a.reach || u < 0 || v < 0 || u >= a.region.width ||
          v >= a.region.height)
        continue;
      const float other = scores[1LL * v * a.region.width + u];
      const float measure = other * other;
      if (measure > own || (measure == own && (j < 0 || (j == 0 && i < 0)))) return false;
    }
  return true;
}

/// Candidates of a plane, in any order: who reads them sorts them by place.
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
