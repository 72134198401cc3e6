// SPDX-License-Identifier: Apache-2.0
// HCOMPRESS_1 of the FITS standard: a header, the bit planes of four quadrants as quadtrees of
// nybbles, a nybble 0, and the signs of the nonzero coefficients.
#include <algorithm>
#include <vector>

#include "io/fits/fits_bits.hpp"
#include "io/fits/fits_tiles.hpp"

namespace tessera {
namespace {

constexpr size_t kHeaderBytes = 25;

/// A plane of nybbles or bits, in rows of `height` as the format counts them.
using Cells = std::vector<unsigned char>;

/// Walks through the data of a tile; every step returns false past its end.
class Walk {
 public:
  explicit Walk(std::span<const unsigned char> bytes) : bits_(bytes) {}

  bool quadrant(int width, int height, int planes, long long& coefficients) {
    Cells any(static_cast<size_t>(width) * height);
    for (int plane = 0; plane < planes; ++plane) {
      const int code = bits_.take(4);
      Cells cells;
      if (code == 0 ? !plain_cells(width, height, cells)
                    : code != 15 || !tree_cells(width, height, cells))
        return false;
      const Cells found = expanded(cells, width, height);
      for (size_t i = 0; i < any.size(); ++i) any[i] |= found[i];
    }
    coefficients += std::ranges::count(any, 1);
    return true;
  }
  /// The end of the quadrants, then one sign per nonzero coefficient from the next byte on.
  bool ending(long long coefficients) {
    if (bits_.take(4) != 0) return false;
    bits_.to_next_byte();
    return bits_.skip(coefficients);
  }

 private:
  bool plain_cells(int width, int height, Cells& cells) {
    cells.resize(static_cast<size_t>((width + 1) / 2) * ((height + 1) / 2));
    for (unsigned char& cell : cells) {
      const int value = bits_.take(4);
      if (value < 0) return false;
      cell = static_cast<unsigned char>(value);
    }
    return true;
  }
  // From the root down: the bits of a nybble say which of its four children are not empty.
  bool tree_cells(int width, int height, Cells& cells) {
    int levels = 0;
    while (1 << levels < std::max(width, height)) ++levels;
    cells = {1};
    if (!read_codes(cells)) return false;
    int across = 1, down = 1, left_across = width, left_down = height;
    for (int level = 1, half = 1 << levels; level < levels; ++level) {
      half >>= 1;
      grow(across, left_across, half);
      grow(down, left_down, half);
      cells = expanded(cells, across, down);
      if (!read_codes(cells)) return false;
    }
    return true;
  }
  static void grow(int& cells, int& left, int half) {
    cells *= 2;
    if (left <= half)
      --cells;
    else
      left -= half;
  }
  // The format stores them from the last to the first.
  bool read_codes(Cells& cells) {
    for (auto cell = cells.rbegin(); cell != cells.rend(); ++cell) {
      if (*cell == 0) continue;
      const int value = code();
      if (value < 0) return false;
      *cell = static_cast<unsigned char>(value);
    }
    return true;
  }
  // Codes of 3 to 6 bits for the nybbles; -1 past the end.
  int code() {
    constexpr int kOfFour[] = {3, 5, 10, 12, 15}, kOfFive[] = {6, 7, 9, 11, 13};
    int value = bits_.take(3);
    if (value < 4) return value < 0 ? -1 : 1 << value;
    if (!append_bit(value)) return -1;
    if (value <= 12) return kOfFour[value - 8];
    if (!append_bit(value)) return -1;
    if (value <= 30) return kOfFive[value - 26];
    const int last = bits_.take(1);
    return last < 0 ? -1 : last == 0 ? 0 : 14;
  }
  bool append_bit(int& value) {
    const int bit = bits_.take(1);
    value = value * 2 + bit;
    return bit >= 0;
  }
  // Each nybble becomes two by two bits, the highest first; bits outside the plane are dropped.
  static Cells expanded(const Cells& cells, int width, int height) {
    Cells bits(static_cast<size_t>(width) * height);
    const int cell_height = (height + 1) / 2;
    for (int x = 0; x < width; ++x)
      for (int y = 0; y < height; ++y) {
        const int cell = cells[static_cast<size_t>(x / 2) * cell_height + y / 2];
        bits[static_cast<size_t>(x) * height + y] = cell >> (3 - (x % 2) * 2 - y % 2) & 1;
      }
    return bits;
  }

  BitWalk bits_;
};

}  // namespace

bool hcompress_ends(std::span<const unsigned char> bytes, int width, int height) {
  if (bytes.size() < kHeaderBytes) return false;
  const int planes[] = {bytes[22], bytes[23], bytes[24]};
  Walk walk(bytes.subspan(kHeaderBytes));
  const int wide = (width + 1) / 2, high = (height + 1) / 2;
  long long coefficients = 0;
  return walk.quadrant(wide, high, planes[0], coefficients) &&
         walk.quadrant(wide, height / 2, planes[1], coefficients) &&
         walk.quadrant(width / 2, high, planes[1], coefficients) &&
         walk.quadrant(width / 2, height / 2, planes[2], coefficients) && walk.ending(coefficients);
}

}  // namespace tessera
