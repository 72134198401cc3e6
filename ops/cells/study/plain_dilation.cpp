// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/study/detect_args.cuh"
#include "ops/cells/study/plain_cells.hpp"

namespace tessera {

void plain_dilation_row(const double* gicov, int width, int height, int y, double* row) {
  for (int x = 0; x < width; ++x) {
    double largest = 0;
    for (int j = -kDiskReach; j <= kDiskReach; ++j)
      for (int i = -kDiskReach; i <= kDiskReach; ++i) {
        if (i * i + j * j > kDiskReach * kDiskReach) continue;
        if (x + i < 0 || x + i >= width || y + j < 0 || y + j >= height) continue;
        const double score = gicov[(y + j) * width + x + i];
        if (score * score > largest) largest = score * score;
      }
    row[x] = largest;
  }
}

}  // namespace tessera
