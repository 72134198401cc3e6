// SPDX-License-Identifier: Apache-2.0
// Entry points with the default knobs.
#include "ops/enhance/cuda/enhance_grey.cuh"

namespace tessera {

#define TESSERA_ENHANCE_ENTRY(name, channels, byte_weights)   \
  extern "C" __global__ void __launch_bounds__(256, 3)        \
      enhance_##name(const __grid_constant__ GreyArgs args) { \
    enhance_grey<channels, byte_weights, GreyKnobs{}>(args);  \
  }

TESSERA_ENHANCE_ENTRY(grey_bytes, 3, true)
TESSERA_ENHANCE_ENTRY(grey_any, 3, false)
TESSERA_ENHANCE_ENTRY(count, 1, true)

}  // namespace tessera
