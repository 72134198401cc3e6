// SPDX-License-Identifier: Apache-2.0
// Rung 8: rung 7 with filter, block and tile factor known to the compiler, which is called at run
// time. Loops are unrolled, indices are constants, weights are operands of the multiply-adds.
//
// Above kMostUnrolled multiply-adds per thread, which are those of the paper's fastest kernel, only
// the filter's rows are unrolled: the instructions of a 43x43 filter with a large tile factor would
// not fit the instruction cache, nor a user's patience.
#pragma once

#include "ops/convolve/study/ladder_args.cuh"

namespace tessera {

struct UnrolledKnobs {
  int filter_width, filter_height, block_x, block_y, tiles, tile_row;
};

template <UnrolledKnobs K>
__device__ void add_filter_row(const float* tile, const float* weights, float (&sum)[K.tiles]) {
#pragma unroll
  for (int i = 0; i < K.filter_width; ++i)
#pragma unroll
    for (int t = 0; t < K.tiles; ++t)
      sum[t] = __fmaf_rn(tile[i + t * K.block_x], weights[i], sum[t]);
}

/// After the load: sums and stores.
template <UnrolledKnobs K>
__device__ void finish_tile(const LadderConstants& c, const float* tile, int first_x, int first_y) {
  const LadderArgs& a = c.ladder;
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  const float* const mine = tile + ty * K.tile_row + tx;
  float sum[K.tiles] = {};
  constexpr bool kAll = K.filter_width * K.filter_height * K.tiles <= kMostUnrolled;
#pragma unroll(kAll ? K.filter_height : 1)
  for (int j = 0; j < K.filter_height; ++j)
    add_filter_row<K>(mine + j * K.tile_row, c.weights + j * K.filter_width, sum);
  const int y = first_y + ty;
#pragma unroll
  for (int t = 0; t < K.tiles; ++t) {
    const int x = first_x + tx + t * K.block_x;
    if (x < a.width && y < a.height) a.out[y * a.out_row + x] = sum[t];
  }
}

template <UnrolledKnobs K>
__device__ void unrolled(const LadderConstants& c) {
  extern __shared__ float tile[];
  const LadderArgs& a = c.ladder;
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  const int first_x = static_cast<int>(blockIdx.x) * K.block_x * K.tiles;
  const int first_y = static_cast<int>(blockIdx.y) * K.block_y;
#pragma unroll
  for (int j = ty; j < K.block_y + K.filter_height - 1; j += K.block_y)
#pragma unroll
    for (int i = tx; i < K.block_x * K.tiles + K.filter_width - 1; i += K.block_x)
      tile[j * K.tile_row + i] = a.in[(first_y + j) * a.in_row + first_x + i];
  __syncthreads();
  finish_tile<K>(c, tile, first_x, first_y);
}

}  // namespace tessera
