// SPDX-License-Identifier: Apache-2.0
/// Boxes that slide over a region, and the values at given positions of their sorted lists.
///
/// Every pixel of the region has a mark: its rank among the region's values, or its bin. Marks are
/// grouped in codes (mark >> shift), codes in segments of 16. A column of the region keeps, for its
/// rows under the box, how many values lie below each segment, and in each segment how many have up
/// to each code. A box keeps the sums of these over its columns for a bracket of a few segments
/// around the quantile it follows: a step to the right adds one column and subtracts another, in a
/// few vectors, whatever the size of the box.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/pools.hpp"

namespace tessera {

/// Codes per segment, segments per bracket, and ranks of the smallest code: bits of a word.
inline constexpr int kSegmentCodes = 16, kBracketSegments = 2, kWordRanks = 64;

/// The pixels under the boxes of a rectangle of outputs.
struct NoiseMarks {
  int width = 0, height = 0;             ///< of the region: outputs and box, minus 1
  const std::uint32_t* marks = nullptr;  ///< in row order; blanks have blank_mark()
  bool whole = false;                    ///< none is blank
  int codes = 0;  ///< used by marks that are not blanks: all are below codes << shift
  int shift = 0;
  /// The columns of the values by rank, in words in the order of column_place(). Null if marks are
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

/// Where the column of a rank is stored, so that one comparison per vector gives the bits of a word
/// in the order of ranks: 8 by 8, transposed.
constexpr std::size_t column_place(std::size_t rank) {
  return (rank & ~std::size_t{63}) | (rank & 7) << 3 | (rank >> 3 & 7);
}

/// The position of a quantile in a box's sorted values.
struct NoiseWanted {
  int index;        ///< negative: nothing is wanted
  double fraction;  ///< of the way to the next value, which is not searched for if this is 0
};

/// The code that contains the value at an index: `past` of its values come before that one; for
/// bins, also the number of values.
struct NoiseLocated {
  int code, past, in;
};
/// The ranks at an index and, if wanted, at the next.
struct NoiseFound {
  std::uint32_t rank, next;
};

class NoiseSlider {
 public:
  virtual ~NoiseSlider() = default;
  /// Fills the columns with the first rows of a region.
  virtual void start(const NoiseMarks& marks) = 0;
  /// Moves the boxes down by one row.
  virtual void down() = 0;
  /// Boxes from left to right: one output each. `order` is the number of the quantile: each keeps
  /// its position from row to row. With bins as marks, `found` is not written.
  virtual void along(int order, const NoiseWanted* wanted, NoiseLocated* located,
                     NoiseFound* found) = 0;
};

/// For boxes of this size, and regions and codes up to the given limits.
struct NoiseSliderPlan {
  int box_width, box_height, region_width, codes, shift;
  bool ranks;   ///< marks are ranks, all distinct
  bool narrow;  ///< as in NoiseMarks
};
std::unique_ptr<NoiseSlider> make_noise_slider(const NoiseSliderPlan& plan);

}  // namespace tessera
