// SPDX-License-Identifier: Apache-2.0
#include "ops/enhance/study/plain_steps.hpp"

namespace tessera {

void plain_smooth(const unsigned char* grey, int width, int height, unsigned char* out) {
  constexpr int kTriangle[] = {1, 2, 3, 2, 1};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      int sum = 0, weights = 0;
      for (int j = 0; j < 5; ++j)
        for (int i = 0; i < 5; ++i) {
          const int from_x = x + i - 2, from_y = y + j - 2;
          if (from_x < 0 || from_x >= width || from_y < 0 || from_y >= height) continue;
          const int weight = kTriangle[i] * kTriangle[j];
          sum += weight * grey[1LL * from_y * width + from_x];
          weights += weight;
        }
      out[1LL * y * width + x] = static_cast<unsigned char>((sum + weights / 2) / weights);
    }
}

}  // namespace tessera
