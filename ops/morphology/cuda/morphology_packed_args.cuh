// SPDX-License-Identifier: Apache-2.0
// Arguments of the kernel for packed words, and its knobs, which change no bit of the result.
#pragma once

#include "ops/morphology/cuda/morphology_args.cuh"

namespace tessera {

/// 32 x block_y threads make 32*columns words by block_y/columns*rows outputs. Each thread makes
/// windows along rows, `run` words at a time, and then `rows` words of a column.
struct PackedKnobs {
  int block_y = 4, columns = 1, rows = 16, run = 4;
  TESSERA_BOTH constexpr int words() const { return 32 * columns; }
  TESSERA_BOTH constexpr int height() const { return block_y / columns * rows; }
};

inline constexpr int kMostPackedWindows = 24, kMostPackedTerms = 256;

/// Pixels [first, first + length) of an element's row.
struct PackedWindow {
  int first, length;
};

/// An element in the form the kernel is compiled for: its distinct windows, shortest first.
struct PackedElement {
  int width, height;
  bool box;  ///< one window in every row
  int count;
  PackedWindow windows[kMostPackedWindows];
};

/// The result is the best of these windows in rows below its first. Boxes have none.
struct PackedTerm {
  unsigned char window, row;
};

struct PackedArgs {
  MorphologyArgs image;
  bool wide_out;  ///< all rows of `out` have the same alignment to words of 4 bytes
  int lead;       ///< samples from the word in which rows begin to their beginning
  int term_count;
  PackedTerm terms[kMostPackedTerms];
};

/// Sizes of a block's tile, in words of 4 bytes and in rows.
struct PackedSizes {
  int samples;  ///< samples per word
  int reach;    ///< words that windows reach beyond their own
  int copied;   ///< words per row that are copied: one more, because rows may begin within a word
  int pixels;   ///< from row to row; odd, so that threads on different rows have no bank conflict
  int made;     ///< the same for windows
  int rows;
};

TESSERA_BOTH constexpr PackedSizes packed_sizes(int bytes, int channels, const PackedKnobs& k,
                                                int width, int height) {
  PackedSizes s{};
  s.samples = 4 / bytes;
  s.reach = ((width - 1) * channels + s.samples - 1) / s.samples;
  s.copied = k.words() + s.reach + (bytes < 4 ? 1 : 0);
  s.pixels = s.copied | 1;
  s.made = k.words() | 1;
  s.rows = k.height() + height - 1;
  return s;
}

/// Outputs that slide down a column together: at most the height of the box, a divisor of `rows`.
TESSERA_BOTH constexpr int slide_group(int rows, int height) {
  int group = 1;
  while (2 * group <= height && rows % (2 * group) == 0) group *= 2;
  return group;
}

/// Pixels, the beginning of each row, windows.
TESSERA_BOTH constexpr int packed_shared_bytes(const PackedSizes& s, int windows) {
  return 4 * s.rows * (s.pixels + 1 + windows * s.made);
}

}  // namespace tessera
