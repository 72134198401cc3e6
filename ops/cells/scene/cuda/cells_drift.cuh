// SPDX-License-Identifier: Apache-2.0
// How far frames have drifted: a block registers the frames of a film one after the other. The
// steps of cells_still_scene.hpp.
#pragma once

#include "ops/cells/scene/cells_registration.cuh"
#include "ops/cells/scene/cuda/cells_still.cuh"

namespace tessera {

inline constexpr int kCellsDriftSums = 11;

/// Adds up the values of all threads, in a fixed order; all get the result.
__device__ inline void cells_add_up(DriftSums& sums) {
  __shared__ double warps[kCellsDriftThreads / 32][kCellsDriftSums];
  double values[kCellsDriftSums] = {sums.n, sums.gx,  sums.gy,  sums.gxx,      sums.gxy, sums.gyy,
                                    sums.r, sums.gxr, sums.gyr, sums.absolute, sums.g4};
  for (double& value : values)
    for (int reach = 16; reach > 0; reach /= 2) value += __shfl_xor_sync(~0U, value, reach);
  __syncthreads();
  if (threadIdx.x % 32 == 0)
    for (int k = 0; k < kCellsDriftSums; ++k) warps[threadIdx.x / 32][k] = values[k];
  __syncthreads();
  if (threadIdx.x < kCellsDriftSums)
    for (int warp = 1; warp < kCellsDriftThreads / 32; ++warp)
      warps[0][threadIdx.x] += warps[warp][threadIdx.x];
  __syncthreads();
  for (int k = 0; k < kCellsDriftSums; ++k) values[k] = warps[0][k];
  sums = {values[0], values[1], values[2], values[3], values[4], values[5],
          values[6], values[7], values[8], values[9], values[10]};
}

/// Puts the template's samples side by side: each iteration of each frame reads them all. A thread
/// writes those that it will read.
__device__ inline void cells_take_samples(const CellsDriftArgs& a, int film) {
  const CellsDriftGrid grid(a.in.width, a.in.height);
  const int width = a.in.width, margin = kCells.drift_margin;
  CellsDriftSample* samples = a.samples + film * grid.samples();
  for (int i = threadIdx.x; i < grid.samples(); i += kCellsDriftThreads) {
    const long long p = 1LL * (margin + i / grid.across * kCells.drift_step) * width + margin +
                        i % grid.across * kCells.drift_step;
    const float* t = a.scene.value + film * a.in.pixels() + p;
    const unsigned char* known = a.scene.known + film * a.in.pixels() + p;
    const bool all = known[0] && known[-1] && known[1] && known[-width] && known[width];
    samples[i] = {t[0], (t[1] - t[-1]) / 2, (t[width] - t[-width]) / 2, all ? 1.0F : 0.0F};
  }
}

/// This thread's pixels of a registration step; differences larger than the limit do not count.
__device__ inline DriftSums cells_drift_sums(const CellsDriftArgs& a, const float* smooth, int film,
                                             float2 shift, float limit) {
  const CellsDriftGrid grid(a.in.width, a.in.height);
  const CellsDriftSample* samples = a.samples + film * grid.samples();
  DriftSums sums{};
#pragma unroll 4
  for (int i = threadIdx.x; i < grid.samples(); i += kCellsDriftThreads) {
    const CellsDriftSample s = samples[i];
    const int x = kCells.drift_margin + i % grid.across * kCells.drift_step;
    const int y = kCells.drift_margin + i / grid.across * kCells.drift_step;
    const float fx = static_cast<float>(x) + shift.x, fy = static_cast<float>(y) + shift.y;
    if (!cells_inside(a.in, fx, fy) || s.known == 0) continue;
    const float difference = cell_bilinear(smooth, a.in.width, a.in.height, fx, fy) - s.value;
    drift_add(sums, s.gx, s.gy, difference, limit);
  }
  return sums;
}

/// The drift of a frame, starting from that of the previous one.
__device__ inline CellsPlace cells_registered(const CellsDriftArgs& a, const float* smooth,
                                              int film, CellsCanvas at, CellsPlace before) {
  CellsPlace drift = before;
  float limit = 1e30F;
  for (int i = 0; i <= kCells.drift_iterations; ++i) {
    DriftSums sums = cells_drift_sums(
        a, smooth, film,
        make_float2(static_cast<float>(drift.x - at.x), static_cast<float>(drift.y - at.y)), limit);
    cells_add_up(sums);
    if (i > 0 ? !drift_step(sums, drift.x, drift.y) : !(sums.n > 0)) return before;
    if (i == 0) limit = static_cast<float>(kCells.drift_cut * sums.absolute / sums.n);
  }
  const double dx = drift.x - before.x, dy = drift.y - before.y;
  return sqrt(dx * dx + dy * dy) < kCells.drift_most ? drift : before;
}

__device__ inline void cells_drift(const CellsDriftArgs& a) {
  const int film = blockIdx.x, first = a.in.first;
  const CellsCanvas at = a.places.canvases[a.places.epoch(a.at, film)];
  cells_take_samples(a, film);
  CellsPlace drift{0, 0};
  if (first > 0) drift = a.places.drifts[a.places.frame(first - 1, film)];
  for (int frame = first; frame < first + a.in.count; ++frame) {
    const long long plane = 1LL * (frame - first) * a.places.films + film;
    if (frame > 0)
      drift = cells_registered(a, a.in.smooth + plane * a.in.pixels(), film, at, drift);
    if (threadIdx.x == 0) a.places.drifts[a.places.frame(frame, film)] = drift;
  }
}

}  // namespace tessera
