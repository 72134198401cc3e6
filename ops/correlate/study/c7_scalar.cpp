// SPDX-License-Identifier: Apache-2.0
// The four loops of the paper's figure 2: one thread, four arrays, one sum.
#include "ops/correlate/study/c7_scalar.hpp"

namespace tessera {

void correlate_scalar(const float* planes, int side, int shifts, float* map) {
  const float* const color1 = planes;
  const float* const color2 = color1 + side * side;
  const float* const orientation1 = color2 + side * side;
  const float* const orientation2 = orientation1 + side * side;
  for (int dy = 0; dy < shifts; ++dy)
    for (int dx = 0; dx < shifts; ++dx) {
      float sum = 0;
      for (int row = 0; row < side - dy; ++row)
        for (int column = 0; column < side - dx; ++column) {
          const int src = (dy + row) * side + dx + column, mask = row * side + column;
          sum += color1[src] * color1[mask] + color2[src] * color2[mask] +
                 orientation1[src] * orientation1[mask] + orientation2[src] * orientation2[mask];
        }
      map[dy * shifts + dx] = sum;
    }
}

}  // namespace tessera
