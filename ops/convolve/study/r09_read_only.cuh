// SPDX-License-Identifier: Apache-2.0
// Rung 9: rung 8 with pixels loaded through the read-only path (__ldg). On Kepler only such loads
// were kept in a cache of the multiprocessor; since then plain loads are too.
#pragma once

#include "ops/convolve/study/r08_unrolled.cuh"

namespace tessera {

template <UnrolledKnobs K>
__device__ void read_only(const LadderConstants& c) {
  extern __shared__ float tile[];
  const LadderArgs& a = c.ladder;
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  const int first_x = static_cast<int>(blockIdx.x) * K.block_x * K.tiles;
  const int first_y = static_cast<int>(blockIdx.y) * K.block_y;
#pragma unroll
  for (int j = ty; j < K.block_y + K.filter_height - 1; j += K.block_y)
#pragma unroll
    for (int i = tx; i < K.block_x * K.tiles + K.filter_width - 1; i += K.block_x)
      tile[j * K.tile_row + i] = __ldg(a.in + (first_y + j) * a.in_row + first_x + i);
  __syncthreads();
  finish_tile<K>(c, tile, first_x, first_y);
}

}  // namespace tessera
