// SPDX-License-Identifier: Apache-2.0
// Elements of any shape, by their runs.
//
// A block makes a tile of outputs of one channel. For each chunk of the element it copies the tile
// and its apron to shared memory, then widens the pixels there to windows of 2, 4, 8 … pixels along
// rows, all in place. Between two widenings every thread reads the runs that are at most twice as
// long as the window: two reads per run and output, whatever the run's length.
#pragma once

#include "ops/morphology/cuda/morphology_tile.cuh"

namespace tessera {

/// Applies the runs of one level to this thread's outputs. `tile` is where its first output reads
/// the element's pixel 0, 0.
template <bool kMax, MorphologyKnobs K, int kStep, class Key>
__device__ inline void take_runs(const ChunkRun* runs, int first, int end, const Key* tile,
                                 Key (&best)[K.rows]) {
  for (int k = first; k < end; ++k) {
    const ChunkRun run = runs[k];
    const Key* from = tile + run.y * kStep + run.x;
#pragma unroll
    for (int r = 0; r < K.rows; ++r)
      best[r] = best_of<kMax>(best[r], best_of<kMax>(from[r * kStep], from[r * kStep + run.shift]));
  }
}

template <int kBytes, bool kMax, MorphologyKnobs K>
__device__ void morphology_direct_tile(const MorphologyDirectArgs& args) {
  using Key = KeyOf<kBytes>;
  constexpr int kTileHeight = K.block_y * K.rows;
  constexpr int kStep = K.block_x + kElementChunk - 1;
  __shared__ Key tile[(kTileHeight + kElementChunk - 1) * kStep];

  const MorphologyArgs& a = args.image;
  const MorphologyPlace place = place_of_block<K>(a);
  const ChunkRun* runs = args.runs ? args.runs : args.inline_runs;
  const ElementChunk* chunks = args.chunks ? args.chunks : args.inline_chunks;
  const int first_row = static_cast<int>(threadIdx.y) * K.rows;
  const Key* own = tile + first_row * kStep + threadIdx.x;
  Key best[K.rows];
  for (int r = 0; r < K.rows; ++r) best[r] = losing_key<kBytes, kMax>();

  for (int c = 0; c < args.chunk_count; ++c) {
    const ElementChunk& chunk = chunks[c];
    const int width = K.block_x + chunk.width - 1, height = kTileHeight + chunk.height - 1;
    __syncthreads();  // the previous chunk has been read
    load_keys<kBytes, kMax, K, kStep>(a, place, place.x + chunk.x - a.anchor_x,
                                      place.y + chunk.y - a.anchor_y, width, height, tile);
    for (int level = 0; level < chunk.levels; ++level) {
      __syncthreads();
      if (level > 0) {
        widen_rows<kMax, K, kStep>(tile, width, height, 1 << (level - 1));
        __syncthreads();
      }
      take_runs<kMax, K, kStep>(runs, chunk.first_run[level], chunk.first_run[level + 1], own,
                                best);
    }
  }
  for (int r = 0; r < K.rows; ++r)
    store_key<kBytes, kMax>(a, place, place.x + static_cast<int>(threadIdx.x),
                            place.y + first_row + r, best[r]);
}

}  // namespace tessera
