// SPDX-License-Identifier: Apache-2.0
// Arguments of the kernels for contiguous 8-bit pixels, and their knobs, which change no bit of the
// result.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

/// `warps` per block, `blocks` per multiprocessor. Each thread counts in its own bytes or, with
/// `atomics`, a warp's threads count in words they share.
struct GreyKnobs {
  int warps = 8, blocks = 3;
  bool atomics = false;
  TESSERA_BOTH constexpr int counter_bytes() const { return atomics ? 1024 : 8192; }  ///< per warp
  TESSERA_BOTH constexpr int shared_bytes() const { return warps * counter_bytes() + 1024; }
};

/// Pixels of a line are contiguous; an image without gaps between its rows is one line.
struct GreyArgs {
  const unsigned char* in;
  unsigned char* out;           ///< null: pixels are only counted
  unsigned long long* counts;   ///< 256, or null
  long long in_line, out_line;  ///< bytes from line to line
  long long pixels;             ///< of a line
  unsigned lines, groups;  ///< groups of 16 pixels per line, including the cut ones at its ends
  unsigned weights[3];     ///< over 2^16
};

/// Pixels from the line's first to the first whose group of 16 begins on a multiple of 16 bytes,
/// 1 to 16: 3 times 11 is 1 modulo 16.
TESSERA_BOTH constexpr int pixels_before_groups(unsigned long long address, int channels) {
  return 16 - static_cast<int>(address * (channels == 3 ? 11 : 1) % 16);
}

/// 32 threads make a strip of a column of 240 pixels; a block has `warps` such strips.
struct PackedSmoothKnobs {
  int warps = 8, blocks = 3;
};

inline constexpr int kMostPackedSide = 9, kMostPackedSum = 256, kPackedColumn = 240;
/// A curve's 256 values, one word each, for every lane: whatever they look up, there is no bank
/// conflict. After them, the divisors of sums at the image's sides.
inline constexpr int kPackedSharedBytes = 256 * 32 * 4 + 256 * 8;

/// Divisor of a row's sums if all weights across are inside: with `half` added and multiplied by
/// `factor`, the quotient is the highest byte. That is exact if the weights sum to at most
/// kMostPackedSum: sums are at most 255.5 times that, and the excess of `factor`, times a sum,
/// stays below 2^24.
struct PackedDivisor {
  unsigned down;  ///< weights down that are inside
  unsigned half, factor;
};

TESSERA_BOTH constexpr PackedDivisor packed_divisor(unsigned across, unsigned down) {
  const unsigned total = across * down;
  return {down, total / 2, ((1U << 24) + total - 1) / total};
}

/// How a launch divides its rows among warps: all warps inside the image run at once, and none
/// waits for others to finish. Columns at its sides read some words byte by byte and wait for each:
/// shorter strips give them more warps that wait at the same time.
struct PackedGrid {
  int side_columns, side_groups, side_rows;        ///< a block is a group of `warps` strips
  int inside_columns, inside_groups, inside_rows;  ///< columns from 1 on
  TESSERA_BOTH constexpr int side_blocks() const { return side_columns * side_groups; }
  TESSERA_BOTH constexpr int blocks() const {
    return side_blocks() + inside_columns * inside_groups;
  }
};

inline constexpr int kFewestPackedRows = 16;  ///< of a strip: the rows around them are read too

/// Words begin up to 3 pixels before a lane's first and reach 12 further.
TESSERA_BOTH constexpr bool is_inside(int first_pixel, int width) {
  return first_pixel - 8 - 3 >= 0 && first_pixel - 8 + 32 * 8 + 4 <= width;
}

TESSERA_BOTH constexpr PackedGrid packed_grid(int width, int rows, int warps, int blocks_at_once) {
  const auto divided = [](int work, int each) { return (work + each - 1) / each; };
  PackedGrid g{};
  const int columns = divided(width, kPackedColumn);
  while (is_inside((g.inside_columns + 1) * kPackedColumn, width)) ++g.inside_columns;
  g.side_columns = columns - g.inside_columns;
  g.side_rows = g.inside_rows = kFewestPackedRows;
  g.side_groups = divided(divided(rows, g.side_rows), warps);
  if (g.inside_columns == 0) return g;
  const int groups = blocks_at_once / g.inside_columns;
  const int enough = divided(rows, (groups > 0 ? groups : 1) * warps);
  if (enough > g.inside_rows) g.inside_rows = enough;
  g.inside_groups = divided(divided(rows, g.inside_rows), warps);
  return g;
}

struct PackedSmoothArgs {
  const unsigned char* in;  ///< row held.first
  unsigned char* out;       ///< row made.first
  long long in_row, out_row;
  int width, height;  ///< for the whole image
  Rows held, made;
  PackedGrid grid;
  const unsigned short* curve;  ///< 256, or null
  int anchor_x, anchor_y;
  unsigned across[kMostPackedSide], down[kMostPackedSide];
  unsigned across_sum;
  PackedDivisor divisor;  ///< for rows that have all weights down inside
};

}  // namespace tessera
