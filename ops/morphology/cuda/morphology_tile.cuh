// SPDX-License-Identifier: Apache-2.0
// Shared by the kernels: a tile of keys in shared memory, windows along its rows, results out.
#pragma once

#include "ops/morphology/cuda/morphology_args.cuh"
#include "ops/morphology/parts/morphology_keys.cuh"

namespace tessera {

template <int kBytes>
using KeyOf = typename KeyTypes<kBytes>::Key;
template <int kBytes>
using BitsOf = typename KeyTypes<kBytes>::Bits;

template <bool kMax, class Key>
__device__ inline Key best_of(Key a, Key b) {
  if constexpr (kMax)
    return a > b ? a : b;
  else
    return a < b ? a : b;
}

/// The work of a block: its first output, and the plane and channel.
struct MorphologyPlace {
  int x, y, channel, plane;
};

template <MorphologyKnobs K>
__device__ inline MorphologyPlace place_of_block(const MorphologyArgs& a) {
  return {static_cast<int>(blockIdx.x) * K.block_x,
          a.made.first + static_cast<int>(blockIdx.y) * K.block_y * K.rows,
          static_cast<int>(blockIdx.z) % a.channels, static_cast<int>(blockIdx.z) / a.channels};
}

template <int kBytes>
__device__ inline const BitsOf<kBytes>* row_address(const MorphologyArgs& a,
                                                    const MorphologyPlace& p, int row) {
  return static_cast<const BitsOf<kBytes>*>(a.in) + p.plane * a.in_plane +
         (row - a.held.first) * a.in_row + p.channel;
}

/// A pixel anywhere, by the border rule. Rows that no piece holds are read only for outputs past
/// the last row, which are not stored.
template <int kBytes, bool kMax>
__device__ inline KeyOf<kBytes> border_key(const MorphologyArgs& a, const MorphologyPlace& p, int x,
                                           int y) {
  const int column = border_index(x, a.width, a.border);
  int row = y;  // a row outside the image that the piece holds is used as it is
  if (!a.held.contains(y)) {
    row = border_index(y, a.height, a.border);
    if (row == kNoPixel || !a.held.contains(row)) return static_cast<KeyOf<kBytes>>(a.outside);
  }
  if (column == kNoPixel) return static_cast<KeyOf<kBytes>>(a.outside);
  return to_key<kBytes, kMax>(row_address<kBytes>(a, p, row)[column * a.in_pixel]);
}

/// Copies width x height pixels from (x, y) on to shared memory. Tiles inside the image never test
/// a border.
template <int kBytes, bool kMax, MorphologyKnobs K, int kStep>
__device__ inline void load_keys(const MorphologyArgs& a, const MorphologyPlace& p, int x, int y,
                                 int width, int height, KeyOf<kBytes>* tile) {
  const bool inside =
      x >= 0 && x + width <= a.width && a.held.contains(y) && a.held.contains(y + height - 1);
  for (int ty = static_cast<int>(threadIdx.y); ty < height; ty += K.block_y) {
    const BitsOf<kBytes>* row = inside ? row_address<kBytes>(a, p, y + ty) : nullptr;
    for (int tx = static_cast<int>(threadIdx.x); tx < width; tx += K.block_x)
      tile[ty * kStep + tx] = inside ? to_key<kBytes, kMax>(row[(x + tx) * a.in_pixel])
                                     : border_key<kBytes, kMax>(a, p, x + tx, y + ty);
  }
}

/// tile(x) = best of tile(x) and tile(x + shift), in place. A warp owns whole rows and processes
/// each from left to right, so no value is read after it was replaced.
template <bool kMax, MorphologyKnobs K, int kStep, class Key>
__device__ inline void widen_rows(Key* tile, int width, int height, int shift) {
  constexpr int kWarps = K.block_x * K.block_y / 32;
  const int thread = static_cast<int>(threadIdx.y * K.block_x + threadIdx.x);
  const int lane = thread % 32;
  for (int y = thread / 32; y < height; y += kWarps)
    for (int x = lane; x - lane < width - shift; x += 32) {
      Key* here = tile + y * kStep + x;
      const bool has_both = x + shift < width;
      const Key best = has_both ? best_of<kMax>(here[0], here[shift]) : Key(0);
      __syncwarp();
      if (has_both) here[0] = best;
      __syncwarp();
    }
}

template <int kBytes, bool kMax>
__device__ inline void store_key(const MorphologyArgs& a, const MorphologyPlace& p, int x, int y,
                                 KeyOf<kBytes> key) {
  if (x >= a.out_width || y >= a.made.end) return;
  BitsOf<kBytes>* out = static_cast<BitsOf<kBytes>*>(a.out) + p.plane * a.out_plane +
                        (y - a.made.first) * a.out_row + x * a.out_pixel + p.channel;
  *out = a.keep_keys ? static_cast<BitsOf<kBytes>>(key) : from_key<kBytes, kMax>(key);
}

}  // namespace tessera
