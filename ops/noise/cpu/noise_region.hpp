// SPDX-License-Identifier: Apache-2.0
/// The pixels under the boxes of a rectangle of outputs.
#pragma once

#include <algorithm>
#include <vector>

#include "ops/noise/noise_problem.hpp"

namespace tessera {

struct NoiseRectangle {
  int x, y, width, height;
};

struct NoiseRegion {
  int width, height;
  std::vector<int> columns, rows;  ///< row of the view, or kNoPixel
  bool side_by_side;               ///< columns are contiguous
  /// How many columns and rows of each output's box hold pixels.
  std::vector<int> box_columns, box_rows;

  int pixels(int x, int y) const {
    return box_columns[static_cast<std::size_t>(x)] * box_rows[static_cast<std::size_t>(y)];
  }
};
NoiseRegion noise_region(const NoiseProblem& problem, Rows held, const NoiseRectangle& outputs);

/// Rows of a region, one at a time.
template <class T>
class NoiseRegionRows {
 public:
  NoiseRegionRows(const NoiseProblem& problem, const View<const T>& in, const NoiseRegion& region)
      : blanks_(problem.blanks),
        outside_(static_cast<T>(problem.constant)),
        outside_counts_(problem.border == Border::constant && !blanks_(outside_)),
        in_(in),
        region_(region),
        values_(static_cast<std::size_t>(region.width)),
        valid_(values_.size()) {}

  /// True if every value of the row is valid.
  bool read(int row) {
    const int source = region_.rows[static_cast<std::size_t>(row)];
    if (source == kNoPixel) return fill_outside();
    const T* from = in_.data + source * in_.row;
    if (in_.pixel == 1 && region_.side_by_side)
      std::copy_n(from + region_.columns[0], region_.width, values_.begin());
    else if (!gather(from))
      return false;
    return check();
  }
  std::size_t width() const { return values_.size(); }
  const T* values() const { return values_.data(); }
  const unsigned char* valid() const { return valid_.data(); }

 private:
  bool fill_outside() {
    std::fill(values_.begin(), values_.end(), outside_);
    std::fill(valid_.begin(), valid_.end(), outside_counts_);
    return outside_counts_;
  }
  /// False if columns are missing; `values_` and `valid_` are complete then.
  bool gather(const T* from) {
    bool all_there = true;
    for (std::size_t x = 0; x < values_.size(); ++x) {
      const int column = region_.columns[x];
      const bool there = column != kNoPixel;
      values_[x] = there ? from[column * in_.pixel] : outside_;
      valid_[x] = there ? !blanks_(values_[x]) : outside_counts_;
      all_there &= there || outside_counts_;
    }
    return all_there;
  }
  bool check() {
    const NoiseBlanks blanks = blanks_;
    const std::size_t width = values_.size();
    const T* values = values_.data();
    unsigned char* valid = valid_.data();
    unsigned blank = 0;
    for (std::size_t x = 0; x < width; ++x) {
      const unsigned char is_blank = blanks(values[x]);
      valid[x] = is_blank ^ 1;
      blank |= is_blank;
    }
    return blank == 0;
  }

  NoiseBlanks blanks_;
  T outside_;
  bool outside_counts_;
  View<const T> in_;
  const NoiseRegion& region_;
  std::vector<T> values_;
  std::vector<unsigned char> valid_;
};

}  // namespace tessera
