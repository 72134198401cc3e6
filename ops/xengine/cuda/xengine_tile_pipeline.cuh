// SPDX-License-Identifier: Apache-2.0
// Kernels whose threads all fetch, multiply and store: a stage is fetched while the previous one is
// multiplied.
#pragma once

#include "ops/xengine/cuda/xengine_strided_loader.cuh"

namespace tessera {

template <bool kGrouped, int kThreads>
struct LoaderOf {
  using Type = GroupedLoader<kThreads>;
};
template <int kThreads>
struct LoaderOf<false, kThreads> {
  using Type = StridedLoader<kThreads>;
};

/// Stages of a tile; a block without samples is one of zeros.
__device__ inline long long count_stages(const XEngineTileArgs& a, const TileWork& work) {
  const int each = work.stage_samples();
  return a.length > 0 ? (a.length + each - 1) / each : 1;
}

/// (re, im) -> (im, ~re) of two samples. ~re = -re - 1 is always a byte, unlike -re, so
///     dot((im, ~re) of i, (re, im) of j) = Im V_ij - sum of Im of j
/// and the sum is added at the end.
__device__ inline unsigned turn_samples(unsigned samples) {
  return __byte_perm(samples, 0, 0x2301) ^ 0xff00ff00U;
}

/// Sum of the parts of a column.
template <int kParts>
__device__ inline int column_sum(const int* parts, int column) {
  int sum = 0;
#pragma unroll
  for (int p = 0; p < kParts; ++p) sum += parts[p * kTileInputs + column];
  return sum;
}

/// All tiles of a launch; a block makes those one grid apart. `Multiply` has begin(work),
/// stage(memory) and store(work, column sums).
template <class Loader, class Multiply>
__device__ inline void make_tiles(const XEngineTileArgs& a, unsigned char* memory,
                                  Multiply& multiply) {
  const int thread = static_cast<int>(threadIdx.x);
  int* const parts = reinterpret_cast<int*>(memory + 2 * kStageBytes);
  int* const column_sums = parts + kColumnPartBytes / 4;
  const long long tiles = count_tiles(a.channels, a.inputs);
  Loader loader(a, thread);
  for (long long tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const TileWork work = TileWork::number(a, tile);
    const long long stages = count_stages(a, work);
    loader.begin(work);
    multiply.begin(work);
    loader.fetch(0, memory);
    loader.template wait<0>();
    loader.land(memory);
    __syncthreads();
    for (long long s = 0; s < stages; ++s) {
      unsigned char* const next = memory + (s + 1) % 2 * kStageBytes;
      if (s + 1 < stages) loader.fetch(s + 1, next);
      multiply.stage(memory + s % 2 * kStageBytes);
      if (s + 1 < stages) {
        loader.template wait<0>();
        loader.land(next);
      }
      __syncthreads();
    }
    loader.write_sums(parts);
    __syncthreads();
    if (thread < kTileInputs) column_sums[thread] = column_sum<Loader::kParts>(parts, thread);
    __syncthreads();
    multiply.store(work, column_sums);
  }
}

}  // namespace tessera
