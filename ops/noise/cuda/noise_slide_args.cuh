// SPDX-License-Identifier: Apache-2.0
// Arguments of the kernels that slide: noise_slide (mode exact) and noise_binned, both of unit
// noise_slide.
//
// noise_slide_TYPE_OUT_RANKS follows noise_ranks_TYPE with the same tiles, first_tile and slots.
// TYPE_OUT is u8_u8, u8_f32, u16_u16, u16_f32, f32_f32 or f64_f64; RANKS is r16 or r32, as
// tiles.rank_bytes is 2 or 4. Its grid is {now * noise_strips(tiles)}, its block {32 *
// rule.orders}, its shared memory noise_slide_shared_bytes(rule.orders, box height).
//
// noise_binned_OUT follows noise_codes_TYPE with the same tiles, first_tile, slots and bins. OUT is
// f32 or f64. Its grid is {now * noise_binned_strips(box width)}, its block {32 * rule.orders}, its
// shared memory noise_binned_shared_bytes(rule.orders, bins, tiles).
#pragma once

#include "ops/noise/cuda/noise_codes_args.cuh"
#include "ops/noise/cuda/noise_ranks_args.cuh"

namespace tessera {

/// As NoisePlane.
struct NoiseSlidePlane {
  int low, high;
  double divisor;
};

/// The rule that turns a box into results.
struct NoiseSlideRule {
  int orders, planes;  ///< 1 to 8 of each
  double order[kMostNoiseOrders];
  NoiseSlidePlane plane[kMostNoiseOrders];
  bool by_rank, all_count, nomask;

  /// The position of one of the quantiles of this many values.
  TESSERA_BOTH QuantilePlace place(int which, int valid) const {
    return by_rank ? percentile_place(order[which], valid) : quantile_place(order[which], valid);
  }
};

/// Results are collected for this many columns, then all threads write them.
inline constexpr int kNoiseStripStep = 8;
/// A block makes a strip of 32 rows by this many columns: the wider the box, the more it costs to
/// begin a strip.
TESSERA_BOTH constexpr int noise_strip_width(int tile_width, int box_width) {
  const int width = box_width <= 128 ? 128 : 256;
  return tile_width < width ? tile_width : width;
}
TESSERA_BOTH constexpr int noise_strips(const NoiseTiles& t) {
  return t.width / noise_strip_width(t.width, t.box_width) * (t.height / 32);
}
TESSERA_BOTH constexpr int noise_binned_strips(int box_width) {
  return kNoiseTile / noise_strip_width(kNoiseTile, box_width) * (kNoiseTile / 32);
}
/// Results are stored [order][column][row], with columns so far apart that writing threads have no
/// bank conflict.
inline constexpr int kNoiseStripColumn = 36;
/// Pixels of a column are processed 32 at a time.
TESSERA_BOTH constexpr int noise_column_chunks(int box_height) { return (box_height + 62) / 32; }
/// Pixels of a warp that its lanes handle one by one: from four chunks, entering and leaving.
inline constexpr int kNoiseQueue = 256;
/// Results, the pixels of each chunk in the box of each of 32 rows, and queues.
TESSERA_BOTH constexpr int noise_slide_shared_bytes(int orders, int box_height) {
  return orders * kNoiseStripStep * kNoiseStripColumn * static_cast<int>(sizeof(double)) +
         noise_column_chunks(box_height) * 32 * 4 + orders * kNoiseQueue * 4;
}
/// Bins that a lane counts around its quantile. The quantile of n values from a normal distribution
/// varies by bins / (9 sqrt(n)) bins (standard deviation; the bins span 12 sigma): nine times that
/// to either side, as far as memory allows.
inline constexpr int kNoiseFewestBins = 16, kNoiseMostBins = 64;
TESSERA_BOTH constexpr int noise_counted_bins(int bins, int box_pixels) {
  int counted = kNoiseFewestBins;
  while (counted < kNoiseMostBins && 1LL * counted * counted * box_pixels < 4LL * bins * bins)
    counted *= 2;
  return counted;
}
/// A histogram of one row's box.
inline constexpr int kNoiseSoloBins = 256;
TESSERA_BOTH constexpr int noise_binned_shared_bytes(int orders, int bins,
                                                     const NoiseCodeTiles& t) {
  return noise_slide_shared_bytes(orders, t.box_height) +
         orders * (noise_counted_bins(bins, t.box_width * t.box_height) * 32 + kNoiseSoloBins) * 4;
}

struct NoiseSlideArgs {
  PieceArgs image;  ///< uses out and its steps, made, held, width, height, border, anchor. `in` is
                    ///< not used
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
  /// [made row][column], rows as long as the image is wide. 1: nothing was written, the output is
  /// to be computed exactly; otherwise 0.
  unsigned char* marks;
};

}  // namespace tessera
