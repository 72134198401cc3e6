// SPDX-License-Identifier: Apache-2.0
// Direct filtering by any filter, with sizes known only at run time.
//
// A block makes a tile of block_x by block_y*rows outputs of one channel. For each chunk of the
// filter it copies the tile and its apron to shared memory, then every thread adds the chunk's
// weights, row by row, to its `rows` outputs: one weight read serves `rows` FMAs. Blocks whose
// apron lies inside the image never test a border; the others map indices as they load.
#pragma once

#include "ops/convolve/cuda/convolve_direct_args.cuh"
#include "ops/convolve/cuda/convolve_pixels.cuh"

namespace tessera {

/// The work of a block: its first output, and the plane and channel.
struct DirectPlace {
  int x, y, channel, plane;
};

/// Copies width x height pixels from (x, y) on to shared memory.
template <class In, class T, int kStep>
__device__ inline void load_tile(const ConvolveArgs<T>& a, const DirectPlace& p, int x, int y,
                                 int width, int height, T* tile, int thread, int threads) {
  const bool inside =
      x >= 0 && x + width <= a.width && a.held.contains(y) && a.held.contains(y + height - 1);
  for (int k = thread; k < width * height; k += threads) {
    const int ty = k / width, tx = k % width;
    tile[ty * kStep + tx] =
        inside ? static_cast<T>(row_address<In>(
                     a, p.plane, y + ty - a.held.first)[(x + tx) * a.in_pixel + p.channel])
               : border_pixel<In>(a, p.plane, p.channel, x + tx, y + ty);
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

template <class In, class Out, class T, DirectKnobs K>
__device__ void direct_tile(const DirectArgs<T>& a) {
  constexpr int kTileHeight = K.block_y * K.rows;
  constexpr int kStep = K.block_x + kChunkWidth - 1;
  __shared__ T tile[(kTileHeight + kChunkHeight - 1) * kStep];
  __shared__ T weights[kChunkWeights];
  if (a.only_if && *a.only_if == 0) return;

  const DirectPlace place{static_cast<int>(blockIdx.x) * K.block_x,
                          a.made.first + static_cast<int>(blockIdx.y) * kTileHeight,
                          static_cast<int>(blockIdx.z) % a.channels,
                          static_cast<int>(blockIdx.z) / a.channels};
  const int thread = static_cast<int>(threadIdx.y * K.block_x + threadIdx.x);
  constexpr int kThreads = K.block_x * K.block_y;
  const int first_row = static_cast<int>(threadIdx.y) * K.rows;
  const T* all_weights = a.weights ? a.weights : a.inline_weights;
  const int most_rows =
      a.filter_width > kChunkWidth ? 1 : min(kChunkHeight, kChunkWeights / a.filter_width);
  T sum[K.rows] = {};

  for (int j = 0; j < a.filter_height; j += most_rows)
    for (int i = 0; i < a.filter_width; i += kChunkWidth) {
      const int height = min(most_rows, a.filter_height - j);
      const int width = min(kChunkWidth, a.filter_width - i);
      __syncthreads();  // the previous chunk has been read
      load_tile<In, T, kStep>(a, place, place.x + i - a.anchor_x, place.y + j - a.anchor_y,
                              K.block_x + width - 1, kTileHeight + height - 1, tile, thread,
                              kThreads);
      for (int k = thread; k < width * height; k += kThreads)
        weights[k] =
            all_weights[static_cast<long long>(j + k / width) * a.filter_width + i + k % width];
      __syncthreads();
      add_chunk<T, K, kStep>(tile + first_row * kStep + threadIdx.x, weights, width, height, sum);
    }
  for (int r = 0; r < K.rows; ++r)
    store_pixel<Out>(a, place.plane, place.channel, place.x + static_cast<int>(threadIdx.x),
                     place.y + first_row + r, sum[r]);
}

/// Recomputes, with the arithmetic of direct, the tiles of 32 x 32 outputs (counted from the
/// image's first pixel) that reach a pixel that is not finite.
template <class Out>
__device__ void repair_tile(const DirectArgs<float>& a) {
  constexpr int kSide = 32, kThreads = kSide * 8;
  const int channel = static_cast<int>(blockIdx.z) % a.channels;
  const int plane = static_cast<int>(blockIdx.z) / a.channels;
  const int x = static_cast<int>(blockIdx.x) * kSide;
  const int y = (a.made.first / kSide + static_cast<int>(blockIdx.y)) * kSide;
  if (y >= a.made.end) return;
  const int thread = static_cast<int>(threadIdx.y * kSide + threadIdx.x);
  const int width = min(kSide, a.out_width - x) + a.filter_width - 1;
  const int out_height = a.border == Border::valid ? a.height - a.filter_height + 1 : a.height;
  const int height = min(kSide, out_height - y) + a.filter_height - 1;
  bool finite = true;
  for (int k = thread; k < width * height; k += kThreads)
    finite = finite && isfinite(border_pixel<float>(a, plane, channel, x - a.anchor_x + k % width,
                                                    y - a.anchor_y + k / width));
  if (!__syncthreads_or(!finite)) return;
  for (int r = static_cast<int>(threadIdx.y); r < kSide; r += 8)
    if (y + r >= a.made.first && y + r < a.made.end && x + threadIdx.x < a.out_width)
      store_pixel<Out>(
          a, plane, channel, x + static_cast<int>(threadIdx.x), y + r,
          plain_sum<float>(a, a.weights, plane, channel, x + static_cast<int>(threadIdx.x), y + r));
}

}  // namespace tessera
