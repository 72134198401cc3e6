// SPDX-License-Identifier: Apache-2.0
/// The pixels under the boxes of a rectangle of outputs.
#pragma once

#include <vector>

#include "ops/noise/noise_problem.hpp"

namespace tessera {

struct NoiseRectangle {
  int x, y, width, height;
};

struct NoiseRegion {
  int width, height;
  std::vector<int> columns, rows;  ///< of the view, or kNoPixel
  bool side_by_side;               ///< columns follow each other
  /// Columns and rows of each output's box that hold pixels, one from the other less 1.
  std::vector<int> box_columns, box_rows;

  int pixels(int x, int y) const {
    return box_columns[static_cast<std::size_t>(x)] * box_rows[static_cast<std::size_t>(y)];
  }
};
NoiseRegion noise_region(const NoiseProblem& problem, Rows held, const NoiseRectangle& outputs);

/// take(row, column, value, valid) for every pixel of a region, row by row; what is not there has
/// any value and is not valid.
template <class T, class Take>
void for_region(const NoiseProblem& problem, const View<const T>& in, const NoiseRegion& region,
                Take take) {
  const NoiseBlanks blanks = problem.blanks;
  const auto outside = static_cast<T>(problem.constant);
  const bool outside_counts = problem.border == Border::constant && !blanks(outside);
  const bool side_by_side = in.pixel == 1 && region.side_by_side;
  for (int row = 0; row < region.height; ++row) {
    const int source = region.rows[static_cast<std::size_t>(row)];
    const T* values = source == kNoPixel ? nullptr : in.data + source * in.row;
    if (values && side_by_side) {
      values += region.columns[0];
      for (int x = 0; x < region.width; ++x) take(row, x, values[x], !blanks(values[x]));
      continue;
    }
    for (int x = 0; x < region.width; ++x) {
      const int column = region.columns[static_cast<std::size_t>(x)];
      if (!values || column == kNoPixel)
        take(row, x, outside, outside_counts);
      else
        take(row, x, values[column * in.pixel], !blanks(values[column * in.pixel]));
    }
  }
}

}  // namespace tessera
