// SPDX-License-Identifier: Apache-2.0
// Direct filtering by a filter whose size is known when the kernel is compiled; rows are samples,
// channels side by side.
//
// A block makes a tile of 32*columns by block_y*rows outputs; each thread `columns` across and
// `rows` down. The tile and its apron come to shared memory once, while other blocks compute. Then
// a row of pixels streams through registers and feeds every output row it touches. What does not
// depend on the filter (loading, addresses, storing) is kept short: at 9x9 every ten instructions
// more a thread cost a percent.
#pragma once

#include "ops/convolve/convolve_direct_args.cuh"
#include "ops/convolve/convolve_pixels.cuh"

namespace tessera {

/// Sizes that follow from the knobs.
template <FixedKnobs K, int kFw, int kFh, int kChannels, int kShift>
struct FixedTile {
  static constexpr int kReach = reach_of(K.columns, kFw, kChannels, kShift);
  static constexpr int kWidth = 32 * K.columns, kHeight = K.block_y * K.rows;
  /// Threads that read 8 samples apart meet in the same banks without gaps.
  static constexpr int kSamples = kWidth - K.columns + kReach;
  using Samples = SampleTile<kSamples, kHeight + kFh - 1, K.columns == 8 ? 32 : kSamples>;
  /// Whether the whole filter is unrolled: more would not fit the instruction cache.
  static constexpr bool kUnrolled = kFw * kFh * K.columns * K.rows <= 4096;
};

/// Adds input row r of a thread to the output rows it touches: weights of row r - y.
template <class T, class Tile, FixedKnobs K, int kFw, int kFh, int kChannels, int kShift>
__device__ inline void add_row(const T* tile, const int (&places)[Tile::kReach / 4],
                               const T* weights, int r, T (&sum)[K.rows][K.columns]) {
  T row[Tile::kReach];
#pragma unroll
  for (int k = 0; k < Tile::kReach; k += 4) {
    const Four<T> four =
        *reinterpret_cast<const Four<T>*>(tile + r * Tile::Samples::kStep + places[k / 4]);
#pragma unroll
    for (int n = 0; n < 4; ++n) row[k + n] = four.v[n];
  }
#pragma unroll
  for (int y = 0; y < K.rows; ++y) {
    if (r - y < 0 || r - y >= kFh) continue;  // the same for the whole block
#pragma unroll
    for (int i = 0; i < kFw; ++i) {
      const T weight = weights[(r - y) * kFw + i];
#pragma unroll
      for (int x = 0; x < K.columns; ++x)
        sum[y][x] = fused(weight, row[x + i * kChannels + kShift], sum[y][x]);
    }
  }
}

template <class In, class Out, class T, FixedKnobs K, int kFw, int kFh, int kChannels, int kShift,
          bool kShares>
__device__ void direct_fixed(const FixedArgs<T, kFw * kFh>& a) {
  using Tile = FixedTile<K, kFw, kFh, kChannels, kShift>;
  extern __shared__ __align__(128) unsigned char memory[];
  T* tile = reinterpret_cast<T*>(memory);
  const int plane = static_cast<int>(blockIdx.z);
  const int x = static_cast<int>(blockIdx.x) * Tile::kWidth;
  const int y = a.made.first + edge_first(blockIdx.y, gridDim.y) * Tile::kHeight;
  load_sample_tile<In, T, typename Tile::Samples, K.block_y>(
      a, plane, x - a.anchor_x * kChannels - kShift, y - a.anchor_y, tile);

  const int column = static_cast<int>(threadIdx.x) * K.columns;
  const int row = static_cast<int>(threadIdx.y) * K.rows;
  int places[Tile::kReach / 4];
#pragma unroll
  for (int k = 0; k < Tile::kReach / 4; ++k)
    places[k] = row * Tile::Samples::kStep + Tile::Samples::at(column + 4 * k);
  T sum[K.rows][K.columns] = {};
  if constexpr (Tile::kUnrolled) {
#pragma unroll
    for (int r = 0; r < K.rows + kFh - 1; ++r)
      add_row<T, Tile, K, kFw, kFh, kChannels, kShift>(tile, places, a.weights, r, sum);
  } else {
#pragma unroll 1
    for (int r = 0; r < K.rows + kFh - 1; ++r)
      add_row<T, Tile, K, kFw, kFh, kChannels, kShift>(tile, places, a.weights, r, sum);
  }
  store_sums<Out, kShares>(a, plane, x + column, y + row, sum);
}

}  // namespace tessera
