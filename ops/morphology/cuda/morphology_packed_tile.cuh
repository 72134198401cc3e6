// SPDX-License-Identifier: Apache-2.0
// Tiles of packed words: pixels into shared memory, results out of it. Rows are samples with
// adjacent channels.
#pragma once

#include "core/cuda/async_copy.cuh"
#include "ops/morphology/cuda/morphology_packed_args.cuh"
#include "ops/morphology/cuda/morphology_packed_words.cuh"

namespace tessera {

/// The work of a block: first sample and row of its outputs and of the pixels that they need.
struct PackedPlace {
  int plane, x, y, first, top;
};

template <int kBytes>
__device__ inline const unsigned char* packed_row(const MorphologyArgs& a, int plane, int held) {
  return static_cast<const unsigned char*>(a.in) + (plane * a.in_plane + held * a.in_row) * kBytes;
}

/// A row of pixels from the tile's first sample on, which may lie outside the image, and the offset
/// in bytes of that sample within a word of memory. Null rows are those that the border rule does
/// not define, and those that only outputs past the last row need, which are not stored.
struct PackedRow {
  const unsigned char* from;
  unsigned skew;
};

template <int kBytes>
__device__ inline PackedRow find_row(const MorphologyArgs& a, const PackedPlace& p, int r) {
  int row = p.top + r;  // a row outside the image that the piece holds is used as it is
  if (!a.held.contains(row)) {
    row = border_index(row, a.height, a.border);
    if (row == kNoPixel || !a.held.contains(row)) return {nullptr, 0};
  }
  const unsigned char* from = packed_row<kBytes>(a, p.plane, row - a.held.first) + p.first * kBytes;
  return {from, static_cast<unsigned>(reinterpret_cast<unsigned long long>(from) % 4)};
}

/// A sample of the row, inside or outside the image.
template <int kBytes, bool kMax>
__device__ inline unsigned sample_beside(const MorphologyArgs& a, const unsigned char* row,
                                         int sample) {
  const int x = sample >= 0 ? sample / a.channels : -((a.channels - 1 - sample) / a.channels);
  const int column = border_index(x, a.width, a.border);
  if (column == kNoPixel) return from_key<kBytes, kMax>(static_cast<KeyOf<kBytes>>(a.outside));
  return reinterpret_cast<const BitsOf<kBytes>*>(row)[(column - x) * a.channels + sample];
}

/// A tile cut by the image's edge. Words of the image are copied unchanged. Then those outside it
/// are made sample by sample, neighbours down a column by neighbouring threads: outputs need only a
/// few columns of them.
template <int kBytes, bool kMax, PackedKnobs K, PackedSizes S>
__device__ __noinline__ void load_cut_tile(const MorphologyArgs& a, PackedPlace p, unsigned* tile,
                                           unsigned* skews) {
  const int lane = static_cast<int>(threadIdx.x), warp = static_cast<int>(threadIdx.y);
  const auto first_of = [&](const PackedRow& row, int k) {
    return p.first - static_cast<int>(row.skew) / kBytes + k * S.samples;
  };
  const auto is_inside = [&](int sample) {
    return sample >= 0 && sample + S.samples <= a.width * a.channels;
  };
  for (int r = warp; r < S.rows; r += K.block_y) {
    const PackedRow row = find_row<kBytes>(a, p, r);
    if (lane == 0) skews[r] = row.skew;
    for (int k = lane; k < S.copied; k += 32)
      if (row.from && is_inside(first_of(row, k)))
        async_copy4(tile + r * S.pixels + k, row.from - row.skew + 4 * k);
  }
  const int needed = (a.out_width - a.anchor_x) * a.channels + S.reach * S.samples;
  for (int task = warp * 32 + lane; task < S.rows * S.copied; task += 32 * K.block_y) {
    const int r = task % S.rows, k = task / S.rows;
    const PackedRow row = find_row<kBytes>(a, p, r);
    const int first = first_of(row, k);
    if (first >= needed || (row.from && is_inside(first))) continue;
    unsigned word = 0;
#pragma unroll
    for (int n = 0; n < S.samples; ++n) {
      const unsigned bits =
          row.from ? sample_beside<kBytes, kMax>(a, row.from - p.first * kBytes, first + n)
                   : from_key<kBytes, kMax>(static_cast<KeyOf<kBytes>>(a.outside));
      word |= bits << (8 * kBytes * n);
    }
    tile[r * S.pixels + k] = word;
  }
}

/// Whether all words of a tile lie in rows of the piece: they begin up to a word before its first
/// sample.
template <PackedSizes S>
__device__ inline bool tile_is_whole(const MorphologyArgs& a, const PackedPlace& p) {
  return p.first >= S.samples - 1 && p.first + S.copied * S.samples <= a.width * a.channels &&
         a.held.contains(p.top) && a.held.contains(p.top + S.rows - 1);
}

/// A tile inside the image, in the words that contain its rows; `skews` as in PackedRow. A warp
/// takes rows block_y apart; the words left over after the last whole 32 are shared out evenly.
template <PackedKnobs K, PackedSizes S>
__device__ inline void load_whole_tile(const unsigned char* from, long long row_bytes,
                                       unsigned* tile, unsigned* skews) {
  constexpr int kWhole = S.copied / 32 * 32, kLeft = S.copied - kWhole;
  const int lane = static_cast<int>(threadIdx.x), warp = static_cast<int>(threadIdx.y);
  const auto word_of = [](const unsigned char* address) {
    return reinterpret_cast<const unsigned*>(reinterpret_cast<unsigned long long>(address) & ~3ULL);
  };
  for (int r = warp * 32 + lane; r < S.rows; r += 32 * K.block_y)
    skews[r] =
        static_cast<unsigned>(reinterpret_cast<unsigned long long>(from + r * row_bytes) % 4);
  const unsigned char* row = from + warp * row_bytes;
#pragma unroll 4
  for (int r = warp; r < S.rows; r += K.block_y, row += K.block_y * row_bytes)
#pragma unroll
    for (int c = 0; c < kWhole; c += 32)
      async_copy4(tile + r * S.pixels + c + lane, word_of(row) + c + lane);
  if constexpr (kLeft > 0)
    for (int k = warp * 32 + lane; k < kLeft * S.rows; k += 32 * K.block_y) {
      const int r = k / kLeft, c = kWhole + k % kLeft;
      async_copy4(tile + r * S.pixels + c, word_of(from + r * row_bytes) + c);
    }
}

/// Words of a column, from sample x of row y of the output on; x may lie in the lead.
template <int kBytes, bool kMax, int kRows>
__device__ inline void store_words(const PackedArgs& args, int plane, int x, int y,
                                   const Parts<kBytes> (&best)[kRows]) {
  const MorphologyArgs& a = args.image;
  constexpr int kSamples = 4 / kBytes;
  const int end = a.out_width * a.channels;
  BitsOf<kBytes>* out = static_cast<BitsOf<kBytes>*>(a.out) + plane * a.out_plane +
                        (y - a.made.first) * a.out_row + x;
  if (args.wide_out && x >= 0 && x + kSamples <= end && y + kRows <= a.made.end) {
#pragma unroll
    for (int r = 0; r < kRows; ++r, out += a.out_row)
      *reinterpret_cast<unsigned*>(out) = sample_word<kBytes, kMax>(joined(best[r]));
    return;
  }
#pragma unroll
  for (int r = 0; r < kRows; ++r, out += a.out_row) {
    const unsigned word = sample_word<kBytes, kMax>(joined(best[r]));
#pragma unroll
    for (int n = 0; n < kSamples; ++n)
      if (y + r < a.made.end && x + n >= 0 && x + n < end)
        out[n] = static_cast<BitsOf<kBytes>>(word >> (8 * kBytes * n));
  }
}

}  // namespace tessera
