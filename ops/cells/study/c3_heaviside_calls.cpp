// SPDX-License-Identifier: Apache-2.0
// Threads share each call of the step function, as the first CUDA program for tracking does:
// differences and sums are one thread's.
#include <algorithm>

#include "core/parallel.hpp"
#include "ops/cells/study/plain_mgvf.hpp"
#include "ops/cells/study/track_args.cuh"

namespace tessera {
namespace {

/// The field changes to the next one; returns the sum of its changes, row by row.
double settled_change(const std::vector<double>& from, const double* edges, int width, int height,
                      const std::vector<double>& sum, double* to) {
  double change = 0;
  for (int y = 0; y < height; ++y) {
    double of_row = 0;
    for (int at = y * width; at < (y + 1) * width; ++at) {
      const double spread = from[at] + 0.1 * sum[at];
      to[at] = spread - 0.2 * edges[at] * (spread - edges[at]);
      of_row += std::abs(to[at] - from[at]);
    }
    change += of_row;
  }
  return change;
}

}  // namespace

int mgvf_by_heaviside(const double* edges, int width, int height, double* field, int threads) {
  const int samples = width * height;
  std::vector<double> from(edges, edges + samples), sum(samples), difference(samples),
      step_of(samples);
  for (int step = 1;; ++step) {
    std::fill(sum.begin(), sum.end(), 0.0);
    for (const PlainNeighbour& n : kPlainNeighbours) {
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
          const int near_x = std::clamp(x + n.x, 0, width - 1);
          const int near_y = std::clamp(y + n.y, 0, height - 1);
          difference[y * width + x] = from[near_y * width + near_x] - from[y * width + x];
        }
      parallel_for(height, threads, [&](int y) {
        for (int at = y * width; at < (y + 1) * width; ++at)
          step_of[at] = plain_heaviside(difference[at] * n.weight);
      });
      for (int at = 0; at < samples; ++at) sum[at] += step_of[at] * difference[at];
    }
    const double change = settled_change(from, edges, width, height, sum, field);
    if (change / samples <= kMgvfTolerance || step == kMostMgvfSteps) return step;
    std::copy_n(field, samples, from.data());
  }
}

}  // namespace tessera
