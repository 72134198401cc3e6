// SPDX-License-Identifier: Apache-2.0
#include "ops/enhance/study/plain_steps.hpp"

namespace tessera {

void plain_grey(const unsigned char* rgb, long long pixels, unsigned char* grey) {
  for (long long k = 0; k < pixels; ++k) {
    const int red = rgb[3 * k], green = rgb[3 * k + 1], blue = rgb[3 * k + 2];
    grey[k] = static_cast<unsigned char>((77 * red + 151 * green + 28 * blue + 128) >> 8);
  }
}

}  // namespace tessera
