// SPDX-License-Identifier: Apache-2.0
// Tiles of packed words: pixels into shared memory, results out of it. Rows are samples, channels
// side by side.
#pragma once

#include "core/cuda/async_copy.cuh"
#include "ops/morphology/morphology_packed_args.cuh"
#include "ops/morphology/morphology_packed_words.cuh"

namespace tessera {

/// Where a block works: first sample and row of its outputs and of the pixels that they need.
struct PackedPlace {
  int plane, x, y, first, top;
};

template <int kBytes>
__device__ inline const unsigned char* packed_row(const MorphologyArgs& a, int plane, int held) {
  return static_cast<const unsigned char*>(a.in) + (plane * a.in_plane + held * a.in_row) * kBytes;
}

/// A sample beside the image in a row of the piece.
template <int kBytes, bool kMax>
__device__ __noinline__ unsigned outer_sample(const MorphologyArgs& a, const unsigned char* row,
                                              int sample) {
  const int x = sample >= 0 ? sample / a.channels : -((a.channels - 1 - sample) / a.channels);
  const int column = border_index(x, a.width, a.border);
  if (column == kNoPixel) return from_key<kBytes, kMax>(static_cast<KeyOf<kBytes>>(a.outside));
  return reinterpret_cast<const BitsOf<kBytes>*>(row)[(column - x) * a.channels + sample];
}

/// A tile that the image's edge cuts: sample by sample, a warp a row. Rows that nobody holds are
/// asked for only by outputs past the last row, which are not stored.
template <int kBytes, bool kMax, PackedKnobs K, PackedSizes S>
__device__ __noinline__ void load_cut_tile(const MorphologyArgs& a, PackedPlace p, unsigned* tile) {
  const int lane = static_cast<int>(threadIdx.x), end = a.width * a.channels;
  for (int r = static_cast<int>(threadIdx.y); r < S.rows; r += K.block_y) {
    const int y = p.top + r;
    const int image_row = a.held.contains(y) ? y : border_index(y, a.height, a.border);
    const bool held = a.held.contains(y) || (image_row != kNoPixel && a.held.contains(image_row));
    const unsigned char* row =
        held ? packed_row<kBytes>(a, p.plane, image_row - a.held.first) : nullptr;
    for (int k = lane; k < S.copied; k += 32) {
      unsigned word = 0;
      for (int n = 0; n < S.samples; ++n) {
        const int sample = p.first + k * S.samples + n;
        const unsigned bits = !held ? from_key<kBytes, kMax>(static_cast<KeyOf<kBytes>>(a.outside))
                              : sample >= 0 && sample < end
                                  ? reinterpret_cast<const BitsOf<kBytes>*>(row)[sample]
                                  : outer_sample<kBytes, kMax>(a, row, sample);
        word |= bits << (8 * kBytes * n);
      }
      tile[r * S.pixels + k] = word;
    }
  }
}

/// Whether all words of a tile lie in rows of the piece: they begin up to a word before its first
/// sample.
template <PackedSizes S>
__device__ inline bool tile_is_whole(const MorphologyArgs& a, const PackedPlace& p) {
  return p.first >= S.samples - 1 && p.first + S.copied * S.samples <= a.width * a.channels &&
         a.held.contains(p.top) && a.held.contains(p.top + S.rows - 1);
}

/// A tile inside the image, in the words that its rows lie in. A warp takes rows block_y apart; the
/// words left over beside the last whole 32 are shared out evenly.
template <PackedKnobs K, PackedSizes S>
__device__ inline void load_whole_tile(const unsigned char* from, long long row_bytes,
                                       unsigned* tile) {
  constexpr int kWhole = S.copied / 32 * 32, kLeft = S.copied - kWhole;
  const int lane = static_cast<int>(threadIdx.x), warp = static_cast<int>(threadIdx.y);
  const auto word_of = [](const unsigned char* address) {
    return reinterpret_cast<const unsigned*>(reinterpret_cast<unsigned long long>(address) & ~3ULL);
  };
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
