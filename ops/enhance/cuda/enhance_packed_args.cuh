// SPDX-License-Identifier: Apache-2.0
// What the host tells the kernels for 8-bit pixels that lie side by side, and their knobs, which
// change no bit of the result.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

/// `warps` a block, `blocks` a multiprocessor. Each thread counts in bytes of its own, or, with
/// `atomics`, a warp's threads in words they share.
struct GreyKnobs {
  int warps = 8, blocks = 3;
  bool atomics = false;
  TESSERA_BOTH constexpr int counter_bytes() const { return atomics ? 1024 : 8192; }  ///< a warp
  TESSERA_BOTH constexpr int shared_bytes() const { return warps * counter_bytes() + 1024; }
};

/// Pixels of a line lie side by side; an image without gaps between its rows is one line.
struct GreyArgs {
  const unsigned char* in;
  unsigned char* out;           ///< null: pixels are only counted
  unsigned long long* counts;   ///< 256, or null
  long long in_line, out_line;  ///< bytes from line to line
  long long pixels;             ///< of a line
  unsigned lines, groups;       ///< groups of 16 pixels of a line, the cut ones at its ends too
  unsigned weights[3];          ///< over 2^16
};

/// Pixels from the line's first to the first whose group of 16 begins on a multiple of 16 bytes,
/// 1 to 16: 3 times 11 is 1 modulo 16.
TESSERA_BOTH constexpr int pixels_before_groups(unsigned long long address, int channels) {
  return 16 - static_cast<int>(address * (channels == 3 ? 11 : 1) % 16);
}

/// 32 threads make a strip of a column of 240 pixels, `warps` such strips a block.
struct PackedSmoothKnobs {
  int warps = 8, blocks = 3;
};

inline constexpr int kMostPackedSide = 9, kMostPackedSum = 256, kPackedColumn = 240;
/// A curve's 256 values, a word each, for every lane: whatever they look up, no two meet in a bank.
/// Behind them, what sums at the image's sides are divided by.
inline constexpr int kPackedSharedBytes = 256 * 32 * 4 + 256 * 8;

/// What a row's sums are divided by where all weights across are inside: with `half` added and
/// multiplied by `factor`, the quotient is the highest byte. That is exact for weights that sum to
/// no more than kMostPackedSum: sums are at most 255.5 times that, and what `factor` is too large
/// by, times a sum, stays below 2^24.
struct PackedDivisor {
  unsigned down;  ///< weights down that are inside
  unsigned half, factor;
};

TESSERA_BOTH constexpr PackedDivisor packed_divisor(unsigned across, unsigned down) {
  const unsigned total = across * down;
  return {down, total / 2, ((1U << 24) + total - 1) / total};
}

/// How a launch divides the rows it makes among warps: all warps inside the image run at once, none
/// waits for others to finish. Columns at its sides read some words byte by byte and wait for each:
/// shorter strips give them more warps to wait at the same time.
struct PackedGrid {
  int side_columns, side_groups, side_rows;        ///< a block is a group of `warps` strips
  int inside_columns, inside_groups, inside_rows;  ///< columns from 1 on
  TESSERA_BOTH constexpr int side_blocks() const { return side_columns * side_groups; }
  TESSERA_BOTH constexpr int blocks() const {
    return side_blocks() + inside_columns * inside_groups;
  }
};

inline constexpr int kFewestPackedRows = 16;  ///< of a strip: those around them are read besides

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
  int width, height;  ///< of the whole image
  Rows held, made;
  PackedGrid grid;
  const unsigned short* curve;  ///< 256, or null
  int anchor_x, anchor_y;
  unsigned across[kMostPackedSide], down[kMostPackedSide];
  unsigned across_sum;
  PackedDivisor divisor;  ///< of rows that all weights down are inside of
};

}  // namespace tessera
