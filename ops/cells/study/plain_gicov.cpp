// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "ops/cells/study/detect_args.cuh"
#include "ops/cells/study/plain_cells.hpp"

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
  const CircleTables& tables = circle_tables();
  const bool inside = y >= kGicovMargin && y < height - kGicovMargin;
  for (int x = 0; x < width; ++x) {
    row[x] = 0;
    if (!inside || x < kGicovMargin || x >= width - kGicovMargin) continue;
    double best = 0;
    for (int k = 0; k < kCircles; ++k) {
      double slopes[kGicovPoints], sum = 0, squares = 0;
      for (int n = 0; n < kGicovPoints; ++n) {
        const int at = (y + tables.offset_y[k * kGicovPoints + n]) * width + x +
                       tables.offset_x[k * kGicovPoints + n];
        slopes[n] = along_x[at] * tables.cosine[n] + along_y[at] * tables.sine[n];
        sum += slopes[n];
      }
      const double mean = sum / kGicovPoints;
      for (const double slope : slopes) squares += (slope - mean) * (slope - mean);
      const double variance = squares / (kGicovPoints - 1);
      if (mean * mean / variance > best) {
        best = mean * mean / variance;
        row[x] = mean / std::sqrt(variance);
      }
    }
  }
}

}  // namespace tessera
