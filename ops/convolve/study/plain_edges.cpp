// SPDX-License-Identifier: Apache-2.0
// The loop that the talk prints: offsets from the centre, on the image itself. Here every pixel is
// looked for inside the image, because the filter reaches beyond its edges.
#include <algorithm>

#include "ops/convolve/study/plain_convolve.hpp"

namespace tessera {

void plain_edges(const PlainConvolve& c) {
  for (int y = 0; y < c.height; ++y) {
    const int yoff = y - c.filter_height / 2;
    for (int x = 0; x < c.width; ++x) {
      const int xoff = x - c.filter_width / 2;
      float sum = 0;
      for (int i = 0; i < c.filter_height; ++i)
        for (int j = 0; j < c.filter_width; ++j) {
          const int from_y = std::clamp(yoff + i, 0, c.height - 1);
          const int from_x = std::clamp(xoff + j, 0, c.width - 1);
          sum += c.in[from_y * c.in_row + from_x] * c.weights[i * c.filter_width + j];
        }
      c.out[1LL * y * c.width + x] = sum;
    }
  }
}

}  // namespace tessera
