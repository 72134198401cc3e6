// SPDX-License-Identifier: Apache-2.0
// Gradients lie column after column, as in the CUDA programs from the fourth on.
#include "ops/cells/study/plain_gicov.hpp"

namespace tessera {

void column_gicov_row(const double* along_x, const double* along_y, int width, int height, int y,
                      double* row) {
  plain_gicov_row_by<PlainTwoPasses>(along_x, along_y, width, height, y, row,
                                     [height](int x, int at_y) { return x * height + at_y; });
}

std::vector<double> by_columns(const std::vector<double>& rows, int width, int height) {
  std::vector<double> columns(rows.size());
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) columns[x * height + y] = rows[y * width + x];
  return columns;
}

}  // namespace tessera
