// SPDX-License-Identifier: Apache-2.0
// What the host tells the kernels that slide: noise_slide (mode exact) and noise_binned, both of
// unit noise_slide.
//
//     noise_slide_TYPE_OUT_RANKS  grid {now * noise_strips(tiles)}, block {32 * rule.orders},
//     shared
//                                 noise_slide_shared_bytes(rule.orders, box height); after
//                                 noise_ranks_TYPE with the same tiles, first_tile and slots
//         TYPE_OUT  u8_u8, u8_f32, u16_u16, u16_f32, f32_f32, f64_f64
//         RANKS     r16 or r32: tiles.rank_bytes 2 or 4
//     noise_binned_OUT            grid {now * noise_binned_strips()}, block {32 * rule.orders},
//     shared
//                                 noise_binned_shared_bytes(rule.orders, box height); after
//                                 noise_codes_TYPE with the same tiles, first_tile, slots and bins
//         OUT       f32, f64
#pragma once

#include "ops/noise/noise_codes_args.cuh"
#include "ops/noise/noise_ranks_args.cuh"

namespace tessera {

inline constexpr int kMostSlidOrders = 8;

/// As NoisePlane.
struct NoiseSlidePlane {
  int low, high;
  double divisor;
};

/// What becomes of a box.
struct NoiseSlideRule {
  int orders, planes;  ///< 1 to 8 of each
  double order[kMostSlidOrders];
  NoiseSlidePlane plane[kMostSlidOrders];
  bool by_rank, all_count, nomask;
};

/// A block makes a strip of 32 rows by this many columns, or by a tile's width if that is less.
inline constexpr int kNoiseStripWidth = 128;
/// Results wait until so many columns are made, then all threads write them.
inline constexpr int kNoiseStripStep = 8;
TESSERA_BOTH constexpr int noise_strip_width(int tile_width) {
  return tile_width < kNoiseStripWidth ? tile_width : kNoiseStripWidth;
}
TESSERA_BOTH constexpr int noise_strips(const NoiseTiles& t) {
  return t.width / noise_strip_width(t.width) * (t.height / 32);
}
TESSERA_BOTH constexpr int noise_binned_strips() {
  return kNoiseTile / noise_strip_width(kNoiseTile) * (kNoiseTile / 32);
}
/// Results are [order][column][row], columns so far apart that threads which write meet in no bank.
inline constexpr int kNoiseStripColumn = 36;
/// Pixels of a column are looked at 32 at a time.
TESSERA_BOTH constexpr int noise_column_chunks(int box_height) { return (box_height + 62) / 32; }
/// Pixels of a warp that its lanes look at one by one: from four chunks, coming and leaving.
inline constexpr int kNoiseQueue = 256;
/// Results, of each chunk the pixels that are in the box of each of 32 rows, and queues.
TESSERA_BOTH constexpr int noise_slide_shared_bytes(int orders, int box_height) {
  return orders * kNoiseStripStep * kNoiseStripColumn * static_cast<int>(sizeof(double)) +
         noise_column_chunks(box_height) * 32 * 4 + orders * kNoiseQueue * 4;
}
/// Counters of a warp in mode binned: some bins for each of 32 rows, and a histogram.
inline constexpr int kNoiseCountedBins = 32, kNoiseSoloBins = 256;
TESSERA_BOTH constexpr int noise_binned_shared_bytes(int orders, int box_height) {
  return noise_slide_shared_bytes(orders, box_height) +
         orders * (kNoiseCountedBins * 32 + kNoiseSoloBins) * 4;
}

struct NoiseSlideArgs {
  PieceArgs
      image;  ///< out and its steps, made, held, width, height, border, anchor. `in` is not used
  NoiseTiles tiles;
  int first_tile;
  const void* slots;
  NoiseSlideRule rule;
  const unsigned char* marks;  ///< as in NoiseRanksArgs: null, or only marked outputs are written
};

struct NoiseBinnedArgs {
  PieceArgs image;
  NoiseCodeTiles tiles;
  int first_tile;
  const void* slots;
  const NoiseBins* bins;
  NoiseSlideRule rule;
  /// [made row][column], rows as long as the image is wide. 1: the output is to be made exactly,
  /// nothing was written; else 0.
  unsigned char* marks;
};

}  // namespace tessera
