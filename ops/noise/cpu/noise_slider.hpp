// SPDX-License-Identifier: Apache-2.0
/// Boxes that slide over a region, and the values at given places of their sorted lists.
///
/// Every pixel of the region has a mark: its rank among the region's values, or its bin. Marks are
/// put together in codes (mark >> shift), codes in segments of 16. A column of the region keeps, of
/// its rows under the box, how many lie below each segment, and in each segment how many have up to
/// each code. A box keeps the sums of these over its columns for a bracket of a few segments about
/// the quantile it follows: a step to the right adds a column and takes one away, in a few vectors,
/// whatever the size of the box.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/pools.hpp"

namespace tessera {

/// Codes of a segment, segments that are looked at together, and ranks of the smallest code: bits
/// of a word.
inline constexpr int kSegmentCodes = 16, kBracketSegments = 2, kWordRanks = 64;

/// What lies under the boxes of a rectangle of outputs.
struct NoiseMarks {
  int width = 0, height = 0;             ///< of the region: outputs and box, less 1
  const std::uint32_t* marks = nullptr;  ///< row by row; blanks have blank_mark()
  bool whole = false;                    ///< none is blank
  int codes = 0;  ///< used by marks that are no blanks: all are below codes << shift
  int shift = 0;
  /// The columns of the values by rank, in words as column_place() has it. Null where marks are
  /// bins.
  const void* columns = nullptr;
  bool narrow = false;  ///< columns and the box's width fit a byte each; else they have 16 bits

  int segments() const {
    return std::max(kBracketSegments, (codes + kSegmentCodes - 1) / kSegmentCodes);
  }
  std::uint32_t blank_mark() const {
    return static_cast<std::uint32_t>(segments() * kSegmentCodes) << shift;
  }
};

/// Where the column of a rank stands, so that one comparison a vector makes the bits of a word in
/// the order of ranks: 8 by 8, turned.
constexpr std::size_t column_place(std::size_t rank) {
  return (rank & ~std::size_t{63}) | (rank & 7) << 3 | (rank >> 3 & 7);
}

/// Where in a box's sorted values a quantile lies.
struct NoiseWanted {
  int index;        ///< below 0: nothing is wanted
  double fraction;  ///< of the way to the next value; that is not looked for where it is 0
};

/// The code that has the value at an index: `past` of its values come before that one, and of bins
/// it is told how many they have.
struct NoiseLocated {
  int code, past, in;
};
/// The ranks at an index and, if wanted, the one after.
struct NoiseFound {
  std::uint32_t rank, next;
};

class NoiseSlider {
 public:
  virtual ~NoiseSlider() = default;
  /// Fills the columns with the first rows of a region.
  virtual void start(const NoiseMarks& marks) = 0;
  /// Boxes move down by a row.
  virtual void down() = 0;
  /// Boxes from left to right: one output each. `order` numbers the quantile: each keeps its place
  /// from row to row. Marks that are bins leave `found` alone.
  virtual void along(int order, const NoiseWanted* wanted, NoiseLocated* located,
                     NoiseFound* found) = 0;
};

/// For boxes of this size, regions no larger and codes no more than given.
struct NoiseSliderPlan {
  int box_width, box_height, region_width, codes, shift;
  bool ranks;   ///< marks are ranks, all different
  bool narrow;  ///< as NoiseMarks has it
};
std::unique_ptr<NoiseSlider> make_noise_slider(const NoiseSliderPlan& plan);

}  // namespace tessera
