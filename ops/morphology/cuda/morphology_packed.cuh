// SPDX-License-Identifier: Apache-2.0
// Elements that are known when the kernel is compiled, on packed words.
//
// A block copies its tile and apron unchanged to shared memory. Then each thread takes part of a
// row into registers, widens it there to every window that the element has, and writes these to
// shared memory. Finally each thread makes words of a column from windows of the rows below: boxes
// by sliding down, other elements window by window.
#pragma once

#include "ops/morphology/cuda/morphology_packed_tile.cuh"

namespace tessera {

/// Windows of kFrom pixels become windows of kTo, in place, by doubling. Only the words needed by
/// longer windows of the run are made.
template <bool kMax, int kChannels, PackedKnobs K, PackedSizes S, PackedElement E, int kFrom,
          int kTo, int kBytes, int kWords>
__device__ inline void widen_words(Parts<kBytes> (&row)[kWords]) {
  if constexpr (kFrom < kTo) {
    constexpr int kNext = 2 * kFrom < kTo ? 2 * kFrom : kTo;
    constexpr int kReached = ((E.width - kNext) * kChannels + S.samples - 1) / S.samples;
#pragma unroll
    for (int k = 0; k < K.run + kReached; ++k)
      row[k] = best_of<kMax>(row[k], shifted(row, k, (kNext - kFrom) * kChannels));
    widen_words<kMax, kChannels, K, S, E, kNext, kTo>(row);
  }
}

/// Writes the element's windows from the one at kWindow on, `run` words of each, to `made`; `row`
/// holds windows of kLength pixels.
template <bool kMax, int kChannels, PackedKnobs K, PackedSizes S, PackedElement E, int kWindow = 0,
          int kLength = 1, int kBytes, int kWords>
__device__ inline void make_windows(Parts<kBytes> (&row)[kWords], unsigned* made) {
  if constexpr (kWindow < E.count) {
    constexpr PackedWindow kThis = E.windows[kWindow];
    widen_words<kMax, kChannels, K, S, E, kLength, kThis.length>(row);
#pragma unroll
    for (int k = 0; k < K.run; ++k)
      made[kWindow * S.rows * S.made + k] = joined(shifted(row, k, kThis.first * kChannels));
    make_windows<kMax, kChannels, K, S, E, kWindow + 1, kThis.length>(row, made);
  }
}

/// Windows of all rows of the tile, which begin `skews` bytes into their first words.
template <int kBytes, bool kMax, int kChannels, PackedKnobs K, PackedSizes S, PackedElement E>
__device__ inline void make_all_windows(const unsigned* tile, const unsigned* skews,
                                        unsigned* made) {
  constexpr int kWords = K.run + S.reach, kParts = K.words() / K.run;
  const int thread = static_cast<int>(threadIdx.y * 32 + threadIdx.x);
#pragma unroll 1
  for (int task = thread; task < kParts * S.rows; task += 32 * K.block_y) {
    const int r = task % S.rows, column = task / S.rows * K.run;
    const unsigned* from = tile + r * S.pixels + column;
    const unsigned bits = kBytes < 4 ? skews[r] * 8 : 0;
    Parts<kBytes> row[kWords];
    unsigned word = from[0];
#pragma unroll
    for (int k = 0; k < kWords; ++k) {
      const unsigned next = kBytes < 4 || k + 1 < kWords ? from[k + 1] : 0;
      row[k] = parts_of<kBytes>(
          key_word<kBytes, kMax>(kBytes < 4 ? __funnelshift_r(word, next, bits) : word));
      word = next;
    }
    make_windows<kMax, kChannels, K, S, E>(row, made + r * S.made + column);
  }
}

/// The best of kHeight words down a column for each of kOutputs starts; kHeight >= kOutputs.
template <int kBytes, bool kMax, int kStep, int kHeight, int kOutputs>
__device__ inline void slide_words(const unsigned* column, Parts<kBytes>* best) {
  const auto at = [&](int row) { return parts_of<kBytes>(column[row * kStep]); };
  Parts<kBytes> common = at(kOutputs - 1);
#pragma unroll
  for (int k = kOutputs; k < kHeight; ++k) common = best_of<kMax>(common, at(k));
  best[kOutputs - 1] = common;
#pragma unroll
  for (int q = kOutputs - 2; q >= 0; --q) best[q] = best_of<kMax>(best[q + 1], at(q));
  if constexpr (kOutputs > 1) {
    Parts<kBytes> below = at(kHeight);
#pragma unroll
    for (int q = 1; q < kOutputs; ++q) {
      if (q > 1) below = best_of<kMax>(below, at(kHeight + q - 1));
      best[q] = best_of<kMax>(best[q], below);
    }
  }
}

/// `rows` words of a column of windows.
template <int kBytes, bool kMax, PackedKnobs K, PackedSizes S, PackedElement E>
__device__ inline void take_windows(const PackedArgs& args, const unsigned* column,
                                    Parts<kBytes> (&best)[K.rows]) {
  if constexpr (E.box) {
    constexpr int kGroup = slide_group(K.rows, E.height);
#pragma unroll
    for (int r = 0; r < K.rows; r += kGroup)
      slide_words<kBytes, kMax, S.made, E.height, kGroup>(column + r * S.made, best + r);
  } else {
#pragma unroll
    for (int r = 0; r < K.rows; ++r) best[r] = losing_parts<kBytes, kMax>();
#pragma unroll 2
    for (int t = 0; t < args.term_count; ++t) {
      const unsigned* from = column + (args.terms[t].window * S.rows + args.terms[t].row) * S.made;
#pragma unroll
      for (int r = 0; r < K.rows; ++r)
        best[r] = best_of<kMax>(best[r], parts_of<kBytes>(from[r * S.made]));
    }
  }
}

template <int kBytes, bool kMax, int kChannels, PackedKnobs K, PackedElement E>
__device__ void morphology_packed_tile(const PackedArgs& args) {
  constexpr PackedSizes S = packed_sizes(kBytes, kChannels, K, E.width, E.height);
  extern __shared__ __align__(128) unsigned memory[];
  unsigned* skews = memory + S.rows * S.pixels;
  unsigned* made = skews + S.rows;
  const MorphologyArgs& a = args.image;
  PackedPlace p;
  p.plane = static_cast<int>(blockIdx.z);
  p.x = static_cast<int>(blockIdx.x) * K.words() * S.samples - args.lead;
  p.y = a.made.first + static_cast<int>(blockIdx.y) * K.height();
  p.first = p.x - a.anchor_x * kChannels;
  p.top = p.y - a.anchor_y;

  if (tile_is_whole<S>(a, p))
    load_whole_tile<K, S>(find_row<kBytes>(a, p, 0).from, a.in_row * kBytes, memory, skews);
  else
    load_cut_tile<kBytes, kMax, K, S>(a, p, memory, skews);
  async_wait();
  __syncthreads();
  make_all_windows<kBytes, kMax, kChannels, K, S, E>(memory, skews, made);
  __syncthreads();

  const int warp = static_cast<int>(threadIdx.y);
  const int word = warp % K.columns * 32 + static_cast<int>(threadIdx.x);
  const int first_row = warp / K.columns * K.rows;
  Parts<kBytes> best[K.rows];
  take_windows<kBytes, kMax, K, S, E>(args, made + first_row * S.made + word, best);
  store_words<kBytes, kMax>(args, p.plane, p.x + word * S.samples, p.y + first_row, best);
}

}  // namespace tessera
