// SPDX-License-Identifier: Apache-2.0
/// A row of scores, whatever the order of the gradients in memory and the passes over the slopes of
/// a circle.
#pragma once

#include <cmath>

#include "ops/cells/study/detect_args.cuh"
#include "ops/cells/study/plain_cells.hpp"

namespace tessera {

/// Mean and variance of the slopes along a circle.
struct CircleMoments {
  double mean, variance;
};

/// The published way: the slopes are kept between the passes.
struct PlainTwoPasses {
  template <class Slope>
  static CircleMoments of(Slope slope) {
    double slopes[kGicovPoints], sum = 0, squares = 0;
    for (int n = 0; n < kGicovPoints; ++n) {
      slopes[n] = slope(n);
      sum += slopes[n];
    }
    const double mean = sum / kGicovPoints;
    for (const double one : slopes) squares += (one - mean) * (one - mean);
    return {mean, squares / (kGicovPoints - 1)};
  }
};

/// `place(x, y)` is the index of a pixel's gradients.
template <class Passes, class Place>
void plain_gicov_row_by(const double* along_x, const double* along_y, int width, int height, int y,
                        double* row, Place place) {
  const CircleTables& tables = circle_tables();
  const bool inside = y >= kGicovMargin && y < height - kGicovMargin;
  for (int x = 0; x < width; ++x) {
    row[x] = 0;
    if (!inside || x < kGicovMargin || x >= width - kGicovMargin) continue;
    double best = 0;
    for (int k = 0; k < kCircles; ++k) {
      const auto [mean, variance] = Passes::of([&](int n) {
        const int at = place(x + tables.offset_x[k * kGicovPoints + n],
                             y + tables.offset_y[k * kGicovPoints + n]);
        return along_x[at] * tables.cosine[n] + along_y[at] * tables.sine[n];
      });
      if (mean * mean / variance > best) {
        best = mean * mean / variance;
        row[x] = mean / std::sqrt(variance);
      }
    }
  }
}

}  // namespace tessera
