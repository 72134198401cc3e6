// SPDX-License-Identifier: Apache-2.0
#include "ops/enhance/study/plain_steps.hpp"

namespace tessera {

void plain_histogram(const unsigned char* grey, long long pixels, unsigned* counts) {
  for (int v = 0; v < 256; ++v) counts[v] = 0;
  for (long long k = 0; k < pixels; ++k) ++counts[grey[k]];
}

}  // namespace tessera
