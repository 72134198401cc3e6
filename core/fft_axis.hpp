// SPDX-License-Identifier: Apache-2.0
/// The slabs in which columns are transformed, and the data of a transform along one axis. Lengths
/// are 1, 3 or 5 times a power of two that is at least 16.
#pragma once

#include <vector>

namespace tessera {

/// Columns that are transformed at once: 64 bytes of real parts, 64 of imaginary parts.
template <class T>
inline constexpr int kSlabColumns = 64 / static_cast<int>(sizeof(T));
template <class T>
inline constexpr int kSlabRow = 2 * kSlabColumns<T>;

/// The bits of an index below `count`, a power of two, reversed.
constexpr int bits_reversed(int index, int count) {
  int reversed = 0;
  for (int bit = 1; bit < count; bit *= 2, index /= 2) reversed = 2 * reversed + index % 2;
  return reversed;
}

/// A pass over the rows of a slab.
struct FftPass {
  int radix, blocks;
  long long step;      ///< rows of a block's part
  long long twiddles;  ///< where its factors begin
};

/// One axis of a tile: radices of its passes, and their twiddle factors.
///
/// Before pass p there are P = product of the earlier radices blocks. Each pass splits a block into
/// radix parts: if a block holds the values that frequencies k = f mod P need, part c holds those
/// of f + P c', where c' is c with its bits reversed (c itself if the radix is 3 or 5). So with a
/// power of two block b holds f = bits_reversed(b, P). The pass multiplies part q by
/// exp(-2 pi i f q / (P radix)): for each block radix - 1 factors, re and im. The first pass has
/// one block and no factors; a radix of 3 or 5 is always the first. There are two passes or more.
template <class T>
struct FftAxis {
  FftAxis(int length_, int most_radix);
  int length;
  std::vector<FftPass> passes;
  std::vector<T> twiddles;
};

}  // namespace tessera
