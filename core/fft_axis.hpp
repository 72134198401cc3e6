// SPDX-License-Identifier: Apache-2.0
/// The slabs in which columns are transformed, and the data of a transform along one axis. Lengths
/// are powers of two, at least 16.
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

/// One axis of a tile: radices of its passes, and their twiddle factors.
///
/// Before pass p there are P = product of the earlier radices blocks; block b holds the values that
/// frequencies k = bits_reversed(b) mod P need. The pass multiplies part q of the block by
/// exp(-2 pi i bits_reversed(b) q / (P radix)): for each block radix - 1 factors, re and im. The
/// first pass has one block and no factors.
template <class T>
struct FftAxis {
  FftAxis(int length_, int most_radix);
  int length;
  std::vector<int> radices;
  std::vector<T> twiddles;
};

}  // namespace tessera
