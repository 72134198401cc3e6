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
  /// Columns and rows of each output's box that hold pixels, one from the other less 1.
  std::vector<int> box_columns, box_rows;

  int pixels(int x, int y) const {
    return box_columns[static_cast<std::size_t>(x)] * box_rows[static_cast<std::size_t>(y)];
  }
};
NoiseRegion noise_region(const NoiseProblem& problem, Rows held, const NoiseRectangle& outputs);

/// take(row, column, value) for every valid value of a region, row by row.
template <class T, class Take>
void for_valid(const NoiseProblem& problem, const View<const T>& in, const NoiseRegion& region,
               Take take) {
  const NoiseBlanks blanks = problem.blanks;
  const auto outside = static_cast<T>(problem.constant);
  const bool outside_counts = problem.border == Border::constant && !blanks(outside);
  for (int row = 0; row < region.height; ++row) {
    const int source = region.rows[static_cast<std::size_t>(row)];
    const T* values = source == kNoPixel ? nullptr : in.data + source * in.row;
    for (int x = 0; x < region.width; ++x) {
      const int column = region.columns[static_cast<std::size_t>(x)];
      if (!values || column == kNoPixel) {
        if (outside_counts) take(row, x, outside);
        continue;
      }
      const T value = values[column * in.pixel];
      if (!blanks(value)) take(row, x, value);
    }
  }
}

}  // namespace tessera
