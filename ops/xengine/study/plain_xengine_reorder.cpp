// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/study/plain_xengine_reorder.hpp"

namespace tessera {

void reorder_for_blas(const signed char* given, int inputs, int samples,
                      std::complex<float>* made) {
  for (int t = 0; t < samples; ++t)
    for (int i = 0; i < inputs; ++i) {
      const signed char* const sample = given + 2 * (1LL * i * samples + t);
      made[1LL * t * inputs + i] = {static_cast<float>(sample[0]), static_cast<float>(sample[1])};
    }
}

}  // namespace tessera
