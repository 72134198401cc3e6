// SPDX-License-Identifier: Apache-2.0
// Tiles of the sliding method in mode exact, their scratch memory, and the arguments of
// noise_ranks, the kernel that sorts them.
//
// The host makes exact maps of rows `made` as follows:
//
//     const NoiseTiles tiles = noise_tiles(box width, height, image width, made.count(), type);
//     slots = as many tiles as there are, or as memory allows: slots * tiles.slot_bytes of scratch
//     for first_tile = 0, slots, 2 slots … below tiles.count():
//       now = min(slots, tiles.count() - first_tile)
//       noise_ranks_TYPE            grid {now}, block {noise_ranks_threads(tiles)},
//                                   shared noise_ranks_shared_bytes(threads)
//       noise_slide_TYPE_OUT_RANKS  see noise_slide_args.cuh
//
// Results do not depend on the number of slots. With fewer than about 500 slots a large GPU has too
// little to do at once. Scratch need not be cleared.
#pragma once

#include "core/piece_args.cuh"
#include "ops/noise/noise_values.cuh"

namespace tessera {

/// Ranks of 16 bits: all ones is not a rank, nor is the end of a list that is read in groups of
/// four.
inline constexpr int kMostShortRanks = 65528;

/// The parts of a tile's slot. All tiles of a launch have the same sizes; those at the right and
/// the bottom use less of them.
struct NoiseTiles {
  int box_width, box_height;
  int width, height;      ///< outputs of a tile; multiples of 32
  int across, down;       ///< tiles per row, and rows of tiles; the first begins at 0, made.first
  int columns, rows;      ///< pixels that a tile's boxes reach
  int capacity;           ///< of the lists below
  int key_bytes;          ///< 4 or 8
  int rank_bytes;         ///< 2 or 4
  long long ranks_at;     ///< ranks [column][row], all ones if there is no valid pixel
  long long lists_at[2];  ///< pairs during sorting; at the end keys, ascending, in one of them
  long long places_at;    ///< from there: the position of each key's pixel (noise_place)
  long long slot_bytes;

  TESSERA_BOTH constexpr int count() const { return across * down; }
};

/// A slot begins with this.
struct NoiseSlot {
  int valid;  ///< pixels in the lists; -1: this tile is not wanted
  int list;   ///< which of the two lists they are in
};

/// Outputs of a tile along one side: with larger tiles fewer pixels are sorted more than once, with
/// smaller ones fewer pixels in the lists are outside the box.
TESSERA_BOTH constexpr int noise_tile_side(int box) {
  return box <= 24 ? 32 : box <= 48 ? 64 : box <= 80 ? 96 : box <= 128 ? 128 : 256;
}

TESSERA_BOTH constexpr NoiseTiles noise_tiles(int box_width, int box_height, int image_width,
                                              int made_rows, Type type) {
  NoiseTiles t{};
  const auto padded = [](long long bytes) { return (bytes + 255) / 256 * 256; };
  t.box_width = box_width;
  t.box_height = box_height;
  t.width = noise_tile_side(box_width);
  t.height = noise_tile_side(box_height);
  t.across = (image_width + t.width - 1) / t.width;
  t.down = (made_rows + t.height - 1) / t.height;
  t.columns = t.width + box_width - 1;
  t.rows = t.height + box_height - 1;
  t.capacity = (t.columns * t.rows + 31) / 32 * 32;
  t.key_bytes = type == Type::f64 ? 8 : 4;
  t.rank_bytes = t.columns * t.rows <= kMostShortRanks ? 2 : 4;
  t.ranks_at = padded(sizeof(NoiseSlot));
  const long long list = padded(1LL * t.capacity * (2 * t.key_bytes));  // positions padded to keys
  t.lists_at[0] = t.ranks_at + padded(1LL * t.columns * t.rows * t.rank_bytes);
  t.lists_at[1] = t.lists_at[0] + list;
  t.places_at = 1LL * t.capacity * t.key_bytes;
  t.slot_bytes = t.lists_at[1] + list;
  return t;
}

/// Pairs that a block sorts at a time, in shared memory: bytes of them per thread, and their
/// maximum number.
inline constexpr int kNoisePairBytes = 128, kNoiseMostPairs = 8192;
/// Threads per block, so that a tile's pixels are divided into this many at a time, or into smaller
/// equal parts.
TESSERA_BOTH constexpr int noise_ranks_threads(const NoiseTiles& t) {
  const int parts = (t.capacity + kNoiseMostPairs - 1) / kNoiseMostPairs;
  const int each = kNoisePairBytes / 8 * 32 * parts;
  return (t.capacity + each - 1) / each * 32;
}
/// Pairs; digits of 8 bits, counted for each warp, in all keys (of at most 8 bytes) and in the
/// current ones; and data that the block shares.
inline constexpr int kNoiseSortDigits = 256;
TESSERA_BOTH constexpr int noise_ranks_shared_bytes(int threads) {
  return threads * kNoisePairBytes + 4 * kNoiseSortDigits * (threads / 32 + 8 + 2) + 64;
}

/// Column and row in the tile's region, with a spare bit above each, so that both can be compared
/// with the ends of a box by one subtraction.
inline constexpr unsigned kNoisePlaceGuards = 0x80008000U;
/// In no box: lists are padded with these to a multiple of kNoiseListStep.
inline constexpr unsigned kNoNoisePlace = 0xffffffffU;
inline constexpr int kNoiseListStep = 8;
TESSERA_BOTH constexpr unsigned noise_place(int column, int row) {
  return static_cast<unsigned>(row) << 16 | static_cast<unsigned>(column) | kNoisePlaceGuards;
}

struct NoiseRanksArgs {
  PieceArgs image;  ///< uses in, held, made, width, height, border; the anchor is the box's reach
                    ///< to the left and above. `out` is not used
  NoiseTiles tiles;
  int first_tile;  ///< the tile of block 0 and slot 0
  void* slots;
  NoiseBlanks blanks;
  double constant;  ///< outside the image, with border constant
  /// Null: all tiles are wanted. Otherwise one byte for each output [made row][column], rows as
  /// long as the image is wide: a tile is wanted if one of its bytes is not 0.
  const unsigned char* marks;
};

}  // namespace tessera
