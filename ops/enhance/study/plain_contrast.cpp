// SPDX-License-Identifier: Apache-2.0
#include "ops/enhance/study/plain_steps.hpp"

namespace tessera {

void plain_contrast(const unsigned char* grey, long long pixels, int low, int high,
                    unsigned char* out) {
  const int range = high - low;
  for (long long k = 0; k < pixels; ++k) {
    if (grey[k] < low)
      out[k] = 0;
    else if (grey[k] > high)
      out[k] = 255;
    else
      out[k] = static_cast<unsigned char>(((grey[k] - low) * 255 + range / 2) / range);
  }
}

}  // namespace tessera
