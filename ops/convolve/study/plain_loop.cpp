// SPDX-License-Identifier: Apache-2.0
// The paper's figure 1a: two loops over pixels, two over weights, one sum.
#include "core/parallel.hpp"
#include "ops/convolve/study/plain_convolve.hpp"

namespace tessera {

void plain_loop(const PlainConvolve& c, int threads) {
  parallel_for(c.height, threads, [&](int y) {
    for (int x = 0; x < c.width; ++x) {
      float sum = 0;
      for (int j = 0; j < c.filter_height; ++j)
        for (int i = 0; i < c.filter_width; ++i)
          sum += c.in[(y + j) * c.in_row + x + i] * c.weights[j * c.filter_width + i];
      c.out[1LL * y * c.width + x] = sum;
    }
  });
}

}  // namespace tessera
