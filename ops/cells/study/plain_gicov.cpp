// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/study/plain_gicov.hpp"

#include <cmath>

namespace tessera {

const CircleTables& circle_tables() {
  static const CircleTables tables = [] {
    CircleTables made;
    for (int n = 0; n < kGicovPoints; ++n) {
      const double angle = n * 2 * kPublishedPi / kGicovPoints;
      made.sine.push_back(std::sin(angle));
      made.cosine.push_back(std::cos(angle));
    }
    for (int k = 0; k < kCircles; ++k)
      for (int n = 0; n < kGicovPoints; ++n) {
        const double radius = kLeastCircle + kCircleStep * k;
        made.offset_x.push_back(static_cast<int>(radius * made.cosine[n]));
        made.offset_y.push_back(static_cast<int>(radius * made.sine[n]));
      }
    return made;
  }();
  return tables;
}

void plain_gicov_row(const double* along_x, const double* along_y, int width, int height, int y,
                     double* row) {
  plain_gicov_row_by<PlainTwoPasses>(along_x, along_y, width, height, y, row,
                                     [width](int x, int at_y) { return at_y * width + x; });
}

}  // namespace tessera
