// SPDX-License-Identifier: Apache-2.0
// Boxes, along rows and then along columns.
//
// A block copies its tile and apron to shared memory, widens rows by doubling to the box's width,
// and then each thread slides down a column: `rows` outputs share the rows that all of them cover.
// Boxes larger than a chunk take further passes, each of which widens them up to four times in each
// direction.
#pragma once

#include "ops/morphology/cuda/morphology_tile.cuh"

namespace tessera {

/// Best of `height` keys down a column for each of kOutputs starts; height >= kOutputs.
template <bool kMax, int kOutputs, class Key>
__device__ inline void slide_down(const Key* column, int step, int height, Key* best) {
  Key common = column[(kOutputs - 1) * step];
  for (int k = kOutputs; k < height; ++k) common = best_of<kMax>(common, column[k * step]);
  best[kOutputs - 1] = common;
#pragma unroll
  for (int q = kOutputs - 2; q >= 0; --q) best[q] = best_of<kMax>(best[q + 1], column[q * step]);
  if constexpr (kOutputs > 1) {
    Key below = column[height * step];
#pragma unroll
    for (int q = 1; q < kOutputs; ++q) {
      if (q > 1) below = best_of<kMax>(below, column[(height + q - 1) * step]);
      best[q] = best_of<kMax>(best[q], below);
    }
  }
}

template <bool kMax, int kOutputs, int kRows, class Key>
__device__ inline void slide_groups(const Key* column, int step, int height, Key* best) {
#pragma unroll
  for (int r = 0; r < kRows; r += kOutputs)
    slide_down<kMax, kOutputs>(column + r * step, step, height, best + r);
}

template <int kBytes, bool kMax, MorphologyKnobs K>
__device__ void morphology_separable_tile(const MorphologySeparableArgs& args) {
  using Key = KeyOf<kBytes>;
  constexpr int kTileHeight = K.block_y * K.rows;
  constexpr int kStep = K.block_x + kElementChunk - 1;
  __shared__ Key tile[(kTileHeight + kElementChunk - 1) * kStep];

  const MorphologyArgs& a = args.image;
  const MorphologyPlace place = place_of_block<K>(a);
  const int width = K.block_x + args.box_width - 1, height = kTileHeight + args.box_height - 1;
  load_keys<kBytes, kMax, K, kStep>(a, place, place.x - a.anchor_x, place.y - a.anchor_y, width,
                                    height, tile);
  __syncthreads();
  int window = 1;
  for (; 2 * window <= args.box_width; window *= 2)
    widen_rows<kMax, K, kStep>(tile, width, height, window);
  if (window < args.box_width)
    widen_rows<kMax, K, kStep>(tile, width, height, args.box_width - window);
  __syncthreads();

  const int first_row = static_cast<int>(threadIdx.y) * K.rows;
  const Key* own = tile + first_row * kStep + threadIdx.x;
  Key best[K.rows];
  if (K.rows % 8 == 0 && args.box_height >= 8)
    slide_groups<kMax, K.rows % 8 == 0 ? 8 : 1, K.rows>(own, kStep, args.box_height, best);
  else if (K.rows % 4 == 0 && args.box_height >= 4)
    slide_groups<kMax, K.rows % 4 == 0 ? 4 : 1, K.rows>(own, kStep, args.box_height, best);
  else
    slide_groups<kMax, 1, K.rows>(own, kStep, args.box_height, best);
#pragma unroll
  for (int r = 0; r < K.rows; ++r)
    store_key<kBytes, kMax>(a, place, place.x + static_cast<int>(threadIdx.x),
                            place.y + first_row + r, best[r]);
}

/// One thread per output. Neighbours read neighbours, so most reads come from the cache.
template <int kBytes, bool kMax>
__device__ void morphology_extend_rows(const MorphologyExtendArgs& a) {
  using Key = KeyOf<kBytes>;
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= a.out_width || y >= a.out_rows) return;
  Key best = losing_key<kBytes, kMax>();
  for (int j = 0; j < a.reads_y; ++j) {
    const Key* row = static_cast<const Key*>(a.in) + (y + a.offset_y[j]) * a.in_row + x;
    for (int i = 0; i < a.reads_x; ++i) best = best_of<kMax>(best, row[a.offset_x[i]]);
  }
  BitsOf<kBytes>* out = static_cast<BitsOf<kBytes>*>(a.out) + y * a.out_row + x * a.out_pixel;
  *out = a.keep_keys ? static_cast<BitsOf<kBytes>>(best) : from_key<kBytes, kMax>(best);
}

}  // namespace tessera
