// SPDX-License-Identifier: Apache-2.0
// A filter that is the product of a row and a column: both passes in one kernel, so that device
// memory is read once and written once.
//
// A block makes 128 samples by block_y*rows outputs. The tile and its apron are copied to shared
// memory. Half a warp filters a row along x, 8 outputs per thread, and overwrites the pixels with
// the sums. Then each thread filters 4 columns along y, `rows` outputs each; a row of sums feeds
// all of them.
#pragma once

#include "ops/convolve/cuda/convolve_pixels.cuh"
#include "ops/convolve/cuda/convolve_separable_args.cuh"

namespace tessera {

/// Sizes that follow from the knobs.
template <SeparableKnobs K, int kFw, int kFh, int kChannels, int kShift>
struct SeparableTile {
  static constexpr int kWidth = 128, kAcross = 8, kHeight = K.block_y * K.rows;
  static constexpr int kReach = reach_of(kAcross, kFw, kChannels, kShift);
  using Samples = SampleTile<kWidth - kAcross + kReach, kHeight + kFh - 1, 32>;
  static constexpr int kRows = Samples::kRows, kStep = Samples::kStep;
};

/// Eight sums along a row, in place: the half warp has read the whole row before it writes.
template <class Tile, int kFw, int kChannels, int kShift>
__device__ inline void filter_along(float* row, const int (&places)[Tile::kReach / 4],
                                    const float (&weights)[kFw], int column, bool wanted) {
  float pixels[Tile::kReach];
#pragma unroll
  for (int k = 0; k < Tile::kReach; k += 4) {
    const Four<float> four = *reinterpret_cast<const Four<float>*>(row + places[k / 4]);
#pragma unroll
    for (int n = 0; n < 4; ++n) pixels[k + n] = four.v[n];
  }
  float sum[Tile::kAcross] = {};
#pragma unroll
  for (int i = 0; i < kFw; ++i)
#pragma unroll
    for (int x = 0; x < Tile::kAcross; ++x)
      sum[x] = fused(weights[i], pixels[x + i * kChannels + kShift], sum[x]);
  __syncwarp();
  if (!wanted) return;
#pragma unroll
  for (int x = 0; x < Tile::kAcross; x += 4)
    *reinterpret_cast<Four<float>*>(row + column +
                                    x) = {{sum[x], sum[x + 1], sum[x + 2], sum[x + 3]}};
}

/// `rows` sums downwards in each of four columns.
template <SeparableKnobs K, class Tile, int kFh>
__device__ inline void filter_down(const float* from, const float (&weights)[kFh],
                                   float (&sum)[K.rows][4]) {
#pragma unroll
  for (int r = 0; r < K.rows + kFh - 1; ++r) {
    const Four<float> four = *reinterpret_cast<const Four<float>*>(from + r * Tile::kStep);
#pragma unroll
    for (int y = 0; y < K.rows; ++y) {
      if (r - y < 0 || r - y >= kFh) continue;
#pragma unroll
      for (int n = 0; n < 4; ++n) sum[y][n] = fused(weights[r - y], four.v[n], sum[y][n]);
    }
  }
}

/// The sums of other terms, stored packed: rows of out_width * channels samples.
template <class A, class Use>
__device__ inline void at_terms(const A& a, float* terms, int plane, int x, int y, Use use) {
  const long long width = static_cast<long long>(a.out_width) * a.channels;
  float* row = terms + (static_cast<long long>(plane) * a.made.count() + y - a.made.first) * width;
  if (y >= a.made.end) return;
#pragma unroll
  for (int n = 0; n < 4; ++n)
    if (x + n >= 0 && x + n < width) use(row[x + n], n);
}

/// kTerms: this is one of several terms.
template <class In, class Out, SeparableKnobs K, int kFw, int kFh, int kChannels, int kShift,
          bool kShares, bool kTerms>
__device__ void separable_tile(const SeparableArgs<kFw, kFh>& a) {
  using Tile = SeparableTile<K, kFw, kFh, kChannels, kShift>;
  extern __shared__ __align__(128) unsigned char memory[];
  auto* tile = reinterpret_cast<float*>(memory);
  const int lane = static_cast<int>(threadIdx.x), warp = static_cast<int>(threadIdx.y);
  const int plane = static_cast<int>(blockIdx.z);
  const int x = static_cast<int>(blockIdx.x) * Tile::kWidth - a.lead;
  const int y = a.made.first + edge_first(blockIdx.y, gridDim.y) * Tile::kHeight;
  load_sample_tile<In, float, typename Tile::Samples, K.block_y>(
      a, plane, x - a.anchor_x * kChannels - kShift, y - a.anchor_y, tile);

  const int along = lane % 16 * Tile::kAcross;
  int places[Tile::kReach / 4];
#pragma unroll
  for (int k = 0; k < Tile::kReach / 4; ++k) places[k] = Tile::Samples::at(along + 4 * k);
#pragma unroll 1
  for (int r = 2 * warp; r < Tile::kRows; r += 2 * K.block_y) {
    const int mine = min(r + lane / 16, Tile::kRows - 1);
    filter_along<Tile, kFw, kChannels, kShift>(tile + mine * Tile::kStep, places, a.row, along,
                                               r + lane / 16 < Tile::kRows);
  }
  __syncthreads();

  float sum[K.rows][4] = {};
  const int row = y + warp * K.rows, column = x + lane * 4;
  if constexpr (kTerms)
    if (a.before)
#pragma unroll
      for (int r = 0; r < K.rows; ++r)
        at_terms(a, const_cast<float*>(a.before), plane, column, row + r,
                 [&](float& term, int n) { sum[r][n] = term; });
  filter_down<K, Tile>(tile + warp * K.rows * Tile::kStep + lane * 4, a.column, sum);
  if constexpr (kTerms)
    if (a.after) {
#pragma unroll
      for (int r = 0; r < K.rows; ++r)
        at_terms(a, a.after, plane, column, row + r, [&](float& term, int n) { term = sum[r][n]; });
      return;
    }
  store_sums<Out, kShares>(a, plane, column, row, sum);
}

}  // namespace tessera
