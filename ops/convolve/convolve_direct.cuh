// SPDX-License-Identifier: Apache-2.0
// Direct filtering through shared memory.
//
// A block makes a tile of block_x by block_y*rows outputs of one channel. For each chunk of the
// filter it copies the tile and its apron to shared memory, then every thread adds the chunk's
// weights, row by row, to its `rows` outputs: one weight read serves `rows` FMAs. Blocks whose
// apron lies inside the image never test a border; the others map indices as they load.
#pragma once

#include "core/cuda/samples.cuh"
#include "ops/convolve/convolve_direct_args.cuh"
#include "ops/convolve/parts/inside_share.cuh"

namespace tessera {

__device__ inline float fused(float a, float b, float c) { return __fmaf_rn(a, b, c); }
__device__ inline double fused(double a, double b, double c) { return __fma_rn(a, b, c); }

/// Where a block looks: its first output, and the plane and channel.
struct DirectPlace {
  int x, y, channel, plane;
};

template <class In, class T>
__device__ inline const In* row_address(const DirectArgs<T>& a, const DirectPlace& p, int row) {
  return static_cast<const In*>(a.in) + p.plane * a.in_plane + (row - a.held.first) * a.in_row +
         p.channel;
}

/// A pixel anywhere, by the border rule. Rows that nobody holds are asked for only by outputs past
/// the last row, which are not stored.
template <class In, class T>
__device__ inline T border_pixel(const DirectArgs<T>& a, const DirectPlace& p, int x, int y) {
  const int column = border_index(x, a.width, a.border);
  int row = y;  // a row outside the image that the piece holds is taken as it is
  if (!a.held.contains(y)) {
    row = border_index(y, a.height, a.border);
    if (row == kNoPixel || !a.held.contains(row)) return a.outside;
  }
  if (column == kNoPixel) return a.outside;
  return static_cast<T>(row_address<In>(a, p, row)[column * a.in_pixel]);
}

/// Copies width x height pixels from (x, y) on to shared memory.
template <class In, class T, int kStep>
__device__ inline void load_tile(const DirectArgs<T>& a, const DirectPlace& p, int x, int y,
                                 int width, int height, T* tile, int thread, int threads) {
  const bool inside =
      x >= 0 && x + width <= a.width && a.held.contains(y) && a.held.contains(y + height - 1);
  for (int k = thread; k < width * height; k += threads) {
    const int ty = k / width, tx = k % width;
    tile[ty * kStep + tx] =
        inside ? static_cast<T>(row_address<In>(a, p, y + ty)[(x + tx) * a.in_pixel])
               : border_pixel<In>(a, p, x + tx, y + ty);
  }
}

/// Adds one chunk of weights, row by row, to this thread's sums.
template <class T, DirectKnobs K, int kStep>
__device__ inline void add_chunk(const T* tile, const T* weights, int width, int height,
                                 T (&sum)[K.rows]) {
  for (int j = 0; j < height; ++j)
    for (int i = 0; i < width; ++i) {
      const T weight = weights[j * width + i];
#pragma unroll
      for (int r = 0; r < K.rows; ++r) sum[r] = fused(weight, tile[(r + j) * kStep + i], sum[r]);
    }
}

template <class Out, class T>
__device__ inline void store_sum(const DirectArgs<T>& a, const DirectPlace& p, int x, int y,
                                 T sum) {
  if (x >= a.out_width || y >= a.made.end) return;
  T value = a.scale * sum;
  if (a.prefix)
    value *= static_cast<T>(inside_share(a.prefix, a.filter_width, a.filter_height, x - a.anchor_x,
                                         y - a.anchor_y, a.width, a.height));
  Out* out = static_cast<Out*>(a.out) + p.plane * a.out_plane + (y - a.made.first) * a.out_row;
  out[x * a.out_pixel + p.channel] = converted<Out>(value);
}

template <class In, class Out, class T, DirectKnobs K>
__device__ void direct_tile(const DirectArgs<T>& a) {
  constexpr int kTileHeight = K.block_y * K.rows;
  constexpr int kStep = K.block_x + kFilterChunk - 1;
  __shared__ T tile[(kTileHeight + kFilterChunk - 1) * kStep];
  __shared__ T weights[kFilterChunk * kFilterChunk];

  const DirectPlace place{static_cast<int>(blockIdx.x) * K.block_x,
                          a.made.first + static_cast<int>(blockIdx.y) * kTileHeight,
                          static_cast<int>(blockIdx.z) % a.channels,
                          static_cast<int>(blockIdx.z) / a.channels};
  const int thread = static_cast<int>(threadIdx.y * K.block_x + threadIdx.x);
  constexpr int kThreads = K.block_x * K.block_y;
  const int first_row = static_cast<int>(threadIdx.y) * K.rows;
  const T* all_weights = a.weights ? a.weights : a.inline_weights;
  T sum[K.rows] = {};

  for (int j = 0; j < a.filter_height; j += kFilterChunk)
    for (int i = 0; i < a.filter_width; i += kFilterChunk) {
      const int height = min(kFilterChunk, a.filter_height - j);
      const int width = min(kFilterChunk, a.filter_width - i);
      __syncthreads();  // the last chunk has been read
      load_tile<In, T, kStep>(a, place, place.x + i - a.anchor_x, place.y + j - a.anchor_y,
                              K.block_x + width - 1, kTileHeight + height - 1, tile, thread,
                              kThreads);
      for (int k = thread; k < width * height; k += kThreads)
        weights[k] = all_weights[(j + k / width) * a.filter_width + i + k % width];
      __syncthreads();
      add_chunk<T, K, kStep>(tile + first_row * kStep + threadIdx.x, weights, width, height, sum);
    }
  for (int r = 0; r < K.rows; ++r)
    store_sum<Out>(a, place, place.x + static_cast<int>(threadIdx.x), place.y + first_row + r,
                   sum[r]);
}

}  // namespace tessera
