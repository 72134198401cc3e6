// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ops/cells/study/plain_cells.hpp"

namespace tessera {
namespace {

double slope(const double* samples, long long step, int at, int count) {
  if (count == 1) return 0;
  const int before = std::max(at - 1, 0), after = std::min(at + 1, count - 1);
  return (samples[after * step] - samples[before * step]) / (after - before);
}

}  // namespace

void plain_gradient(const double* image, int width, int height, double* along_x, double* along_y) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      along_x[y * width + x] = slope(image + y * width, 1, x, width);
      along_y[y * width + x] = slope(image + x, width, y, height);
    }
}

}  // namespace tessera
