// SPDX-License-Identifier: Apache-2.0
// Tiles of the sliding method in mode binned, their scratch memory, and the arguments of
// noise_codes, whose kernels turn pixels into bin numbers.
//
// The host makes binned maps of rows `made` as follows (tiles are counted from the image's 0, 0):
//
//     const NoiseCodeTiles tiles = noise_code_tiles(box width, height, image width, made);
//     slots * tiles.slot_bytes of scratch, slots * sizeof(NoiseBins), made.count() * width of marks
//     for first_tile = 0, slots, 2 slots … below tiles.count():
//       now = min(slots, tiles.count() - first_tile)
//       noise_range_TYPE   grid {now}, block {kNoiseRangeThreads}, shared kNoiseRangeSharedBytes
//       noise_codes_TYPE   grid noise_codes_grid(tiles, now), block {32, 8}, shared
//                          kNoiseCodesSharedBytes
//       noise_binned_OUT   see noise_slide_args.cuh; sets all marks of its outputs
//     then everything that mode exact does, with `marks`: only tiles that have one are sorted, and
//     only marked outputs are written. It costs next to nothing where there are none.
#pragma once

#include "core/piece_args.cuh"
#include "ops/noise/noise_values.cuh"

namespace tessera {

struct NoiseCodeTiles {
  int box_width, box_height;
  int across, down;      ///< tiles per row, and rows of tiles
  int first_row;         ///< the first row of tiles, counted from the image's row 0
  int columns, rows;     ///< pixels that a tile's boxes reach; their codes are stored [column][row]
  long long slot_bytes;  ///< codes of a tile

  TESSERA_BOTH constexpr int count() const { return across * down; }
};

TESSERA_BOTH constexpr NoiseCodeTiles noise_code_tiles(int box_width, int box_height,
                                                       int image_width, Rows made) {
  NoiseCodeTiles t{};
  t.box_width = box_width;
  t.box_height = box_height;
  t.first_row = made.first / kNoiseTile;
  t.across = (image_width + kNoiseTile - 1) / kNoiseTile;
  t.down = (made.end + kNoiseTile - 1) / kNoiseTile - t.first_row;
  t.columns = kNoiseTile + box_width - 1;
  t.rows = kNoiseTile + box_height - 1;
  t.slot_bytes = (2LL * t.columns * t.rows + 255) / 256 * 256;
  return t;
}

/// The code of pixels that are blank or outside.
inline constexpr unsigned short kNoNoiseCode = 0xffff;

/// A block of noise_codes transposes this many pixels per side.
inline constexpr int kNoiseCodesSide = 32;
inline constexpr int kNoiseCodesSharedBytes = 2 * kNoiseCodesSide * (kNoiseCodesSide + 2);
struct NoiseCodesGrid {
  unsigned x, y, z;
};
TESSERA_BOTH constexpr NoiseCodesGrid noise_codes_grid(const NoiseCodeTiles& t, int tiles) {
  return {static_cast<unsigned>((t.columns + kNoiseCodesSide - 1) / kNoiseCodesSide),
          static_cast<unsigned>((t.rows + kNoiseCodesSide - 1) / kNoiseCodesSide),
          static_cast<unsigned>(tiles)};  // so there are at most 65535 slots
}

inline constexpr int kNoiseRangeThreads = 512;
/// Sampled keys are kept if there is room.
inline constexpr int kNoiseRangeSharedBytes = 44 << 10;

struct NoiseCodesArgs {
  PieceArgs image;  ///< as in NoiseRanksArgs; whole tiles of `made` are made, so `held` must have
                    ///< the rows that these reach
  NoiseCodeTiles tiles;
  int first_tile;  ///< the tile of slot 0
  void* slots;
  NoiseBins* bins;  ///< one per slot: noise_range writes, noise_codes and noise_binned read
  int bin_count;
  NoiseBlanks blanks;
};

}  // namespace tessera
