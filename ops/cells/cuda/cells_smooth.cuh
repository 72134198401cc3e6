// SPDX-License-Identifier: Apache-2.0
// Frames of any type, smoothed by a Gaussian: sums along rows, then along columns, in shared
// memory.
#pragma once

#include "ops/cells/cells_math.cuh"
#include "ops/cells/cuda/cells_image_args.cuh"

namespace tessera {

/// The arithmetic of mend_row (cells_parts.hpp), for one sample.
template <class T>
__device__ float cells_sample(const T* row, int width, int x) {
  auto value = static_cast<float>(row[x]);
  for (int i = x - 1; i >= 0 && !cell_finite(value); --i) value = static_cast<float>(row[i]);
  for (int i = x + 1; i < width && !cell_finite(value); ++i) value = static_cast<float>(row[i]);
  return cell_finite(value) ? value : 0.0F;
}

/// Fills `rows` with sums along rows of the samples around a tile; pixels outside are replaced by
/// the nearest inside.
template <class T>
__device__ void cells_smooth_rows(const CellsSmoothArgs& a, const T* frame, int left, int top,
                                  float* samples, float* rows) {
  const int wide = kCellsTileWidth + 2 * a.reach, high = kCellsTileHeight + 2 * a.reach;
  for (int i = threadIdx.x; i < wide * high; i += kCellsTileThreads) {
    const int x = min(max(left - a.reach + i % wide, 0), a.in.width - 1);
    const int y = min(max(top - a.reach + i / wide, 0), a.in.height - 1);
    samples[i] = cells_sample(frame + 1LL * y * a.in.width, a.in.width, x);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < kCellsTileWidth * high; i += kCellsTileThreads) {
    const float* middle = samples + i / kCellsTileWidth * wide + i % kCellsTileWidth + a.reach;
    float sum = a.weights[0] * middle[0];
    for (int k = 1; k <= a.reach; ++k) sum += a.weights[k] * (middle[-k] + middle[k]);
    rows[i] = sum;
  }
  __syncthreads();
}

template <class T>
__device__ void cells_smooth(const CellsSmoothArgs& a) {
  extern __shared__ __align__(16) float cells_smooth_memory[];
  float* samples = cells_smooth_memory;
  float* rows = samples + (kCellsTileWidth + 2 * a.reach) * (kCellsTileHeight + 2 * a.reach);
  const int left = blockIdx.x * kCellsTileWidth, top = blockIdx.y * kCellsTileHeight;
  const int plane = blockIdx.z;
  cells_smooth_rows(a, static_cast<const T*>(a.in.data) + a.in.start(plane), left, top, samples,
                    rows);
  float* out = a.out + plane * a.in.plane_pixels();
  const int x = threadIdx.x % kCellsTileWidth;
  for (int y = threadIdx.x / kCellsTileWidth; y < kCellsTileHeight;
       y += kCellsTileThreads / kCellsTileWidth) {
    const float* middle = rows + (y + a.reach) * kCellsTileWidth + x;
    float sum = a.weights[0] * middle[0];
    for (int k = 1; k <= a.reach; ++k)
      sum += a.weights[k] * (middle[-k * kCellsTileWidth] + middle[k * kCellsTileWidth]);
    if (left + x < a.in.width && top + y < a.in.height)
      out[1LL * (top + y) * a.in.width + left + x] = sum;
  }
}

}  // namespace tessera
