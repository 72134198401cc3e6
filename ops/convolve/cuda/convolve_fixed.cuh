// SPDX-License-Identifier: Apache-2.0
// Direct filtering by a filter whose size is known when the kernel is compiled; rows are samples,
// channels side by side.
//
// A block makes a tile of 32*columns by block_y*rows outputs; each thread `columns` across and
// `rows` down. The tile and its apron are copied to shared memory once, while other blocks compute.
// Then each row of pixels streams through registers and feeds every output row it touches. Code
// that does not depend on the filter (loading, addresses, storing) is kept short: at 9x9 ten more
// instructions per thread cost one percent.
#pragma once

#include "ops/convolve/cuda/convolve_direct_args.cuh"
#include "ops/convolve/cuda/convolve_pixels.cuh"

namespace tessera {

/// Sizes that follow from the knobs.
template <FixedKnobs K, int kFw, int kFh, int kChannels, int kShift>
struct FixedTile {
  static constexpr int kReach = reach_of(K.columns, kFw, kChannels, kShift);
  static constexpr int kWidth = 32 * K.columns, kHeight = K.block_y * K.rows;
  /// Without gaps, threads that read 8 samples apart would use the same banks.
  static constexpr int kSamples = kWidth - K.columns + kReach;
  using Samples = SampleTile<kSamples, kHeight + kFh - 1, K.columns == 8 ? 32 : kSamples>;
  /// Whether the whole filter is unrolled: larger ones would not fit the instruction cache.
  static constexpr bool kUnrolled = kFw * kFh * K.columns * K.rows <= 4096;
};

/// Adds input row r of a thread to the output rows it touches: the weights of row r - y. `four(r,
/// k)` returns the row's samples k to k + 3.
template <class T, class Tile, FixedKnobs K, int kFw, int kFh, int kChannels, int kShift,
          class FourOf>
__device__ inline void add_row(FourOf four_of, const T* weights, int r,
                               T (&sum)[K.rows][K.columns]) {
  T row[Tile::kReach];
#pragma unroll
  for (int k = 0; k < Tile::kReach; k += 4) {
    const Four<T> four = four_of(r, k);
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

template <class T, class Tile, FixedKnobs K, int kFw, int kFh, int kChannels, int kShift,
          class FourOf>
__device__ inline void add_rows(FourOf four_of, const T* weights, T (&sum)[K.rows][K.columns]) {
  if constexpr (Tile::kUnrolled) {
#pragma unroll
    for (int r = 0; r < K.rows + kFh - 1; ++r)
      add_row<T, Tile, K, kFw, kFh, kChannels, kShift>(four_of, weights, r, sum);
  } else {
#pragma unroll 1
    for (int r = 0; r < K.rows + kFh - 1; ++r)
      add_row<T, Tile, K, kFw, kFh, kChannels, kShift>(four_of, weights, r, sum);
  }
}

/// The work of a thread: its tile's first sample and row of pixels, and its own position in the
/// tile.
struct FixedPlace {
  int plane, first, top, column, row;
};

/// Small filters: every thread reads its pixels from device memory, and the cache serves pixels
/// that neighbours also read. No barrier is needed.
template <class In, class T, class Tile, FixedKnobs K, int kFw, int kFh, int kChannels, int kShift>
__device__ inline void add_straight(const FixedArgs<T, kFw * kFh>& a, const FixedPlace& p,
                                    int* columns, T (&sum)[K.rows][K.columns]) {
  if (tile_is_inside<typename Tile::Samples>(a, p.first, p.top)) {
    const In* from = row_address<In>(a, p.plane, p.top + p.row - a.held.first) + p.first + p.column;
    const auto four_of = [&](int r, int k) { return read_four(from + r * a.in_row + k); };
    add_rows<T, Tile, K, kFw, kFh, kChannels, kShift>(four_of, a.weights, sum);
  } else {
    find_edge_maps<T, typename Tile::Samples>(a, p.first, p.top, columns,
                                              static_cast<int>(threadIdx.y * 32 + threadIdx.x),
                                              32 * K.block_y);
    const int* rows = columns + Tile::kSamples + p.row;
    const auto four_of = [&](int r, int k) {
      Four<T> four;
#pragma unroll
      for (int n = 0; n < 4; ++n) {
        const int row = rows[r], column = columns[p.column + k + n];
        four.v[n] = row == kNoPixel || column == kNoPixel
                        ? a.outside
                        : static_cast<T>(row_address<In>(a, p.plane, row)[column]);
      }
      return four;
    };
    add_rows<T, Tile, K, kFw, kFh, kChannels, kShift>(four_of, a.weights, sum);
  }
}

/// Larger filters: the tile is copied to shared memory first.
template <class In, class T, class Tile, FixedKnobs K, int kFw, int kFh, int kChannels, int kShift>
__device__ inline void add_staged(const FixedArgs<T, kFw * kFh>& a, const FixedPlace& p, T* tile,
                                  T (&sum)[K.rows][K.columns]) {
  load_sample_tile<In, T, typename Tile::Samples, K.block_y>(a, p.plane, p.first, p.top, tile);
  int places[Tile::kReach / 4];
#pragma unroll
  for (int k = 0; k < Tile::kReach / 4; ++k)
    places[k] = p.row * Tile::Samples::kStep + Tile::Samples::at(p.column + 4 * k);
  const auto four_of = [&](int r, int k) {
    return *reinterpret_cast<const Four<T>*>(tile + r * Tile::Samples::kStep + places[k / 4]);
  };
  add_rows<T, Tile, K, kFw, kFh, kChannels, kShift>(four_of, a.weights, sum);
}

template <class In, class Out, class T, FixedKnobs K, int kFw, int kFh, int kChannels, int kShift,
          bool kShares>
__device__ void direct_fixed(const FixedArgs<T, kFw * kFh>& a) {
  using Tile = FixedTile<K, kFw, kFh, kChannels, kShift>;
  extern __shared__ __align__(128) unsigned char memory[];
  const int x = static_cast<int>(blockIdx.x) * Tile::kWidth - a.lead;
  const int y = a.made.first + edge_first(blockIdx.y, gridDim.y) * Tile::kHeight;
  const FixedPlace place{static_cast<int>(blockIdx.z), x - a.anchor_x * kChannels - kShift,
                         y - a.anchor_y, static_cast<int>(threadIdx.x) * K.columns,
                         static_cast<int>(threadIdx.y) * K.rows};
  T sum[K.rows][K.columns] = {};
  if constexpr (K.straight)
    add_straight<In, T, Tile, K, kFw, kFh, kChannels, kShift>(a, place,
                                                              reinterpret_cast<int*>(memory), sum);
  else
    add_staged<In, T, Tile, K, kFw, kFh, kChannels, kShift>(a, place, reinterpret_cast<T*>(memory),
                                                            sum);
  store_sums<Out, kShares>(a, place.plane, x + place.column, y + place.row, sum);
}

}  // namespace tessera
