// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/study/plain_mgvf.hpp"

#include <algorithm>

#include "ops/cells/study/track_args.cuh"

namespace tessera {
double plain_mgvf_row(const double* edges, const double* from, int width, int height, int y,
                      double* to) {
  double change = 0;
  for (int x = 0; x < width; ++x) {
    const int at = y * width + x;
    double sum = 0;
    for (const PlainNeighbour& n : kPlainNeighbours) {
      const int near_x = std::clamp(x + n.x, 0, width - 1);
      const int near_y = std::clamp(y + n.y, 0, height - 1);
      const double difference = from[near_y * width + near_x] - from[at];
      sum += plain_heaviside(difference * n.weight) * difference;
    }
    const double spread = from[at] + 0.1 * sum;
    to[at] = spread - 0.2 * edges[at] * (spread - edges[at]);
    change += std::abs(to[at] - from[at]);
  }
  return change;
}

int plain_mgvf(const double* edges, int width, int height, double* field) {
  std::vector<double> from(edges, edges + width * height);
  for (int step = 1;; ++step) {
    double change = 0;
    for (int y = 0; y < height; ++y)
      change += plain_mgvf_row(edges, from.data(), width, height, y, field);
    if (change / (width * height) <= kMgvfTolerance || step == kMostMgvfSteps) return step;
    std::copy_n(field, width * height, from.data());
  }
}

}  // namespace tessera
