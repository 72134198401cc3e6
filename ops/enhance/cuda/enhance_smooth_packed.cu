// SPDX-License-Identifier: Apache-2.0
// Entry points for the usual weights with the default knobs: enhance_smooth_packed_SIDE.
#include "ops/enhance/cuda/enhance_smooth_packed.cuh"

namespace tessera {

#define TESSERA_ENHANCE_ENTRY(side)                                                 \
  extern "C" __global__ void __launch_bounds__(256, 3)                              \
      enhance_smooth_packed_##side(const __grid_constant__ PackedSmoothArgs args) { \
    enhance_smooth_packed<side, side, PackedSmoothKnobs{}>(args);                   \
  }

TESSERA_ENHANCE_ENTRY(1)
TESSERA_ENHANCE_ENTRY(3)
TESSERA_ENHANCE_ENTRY(5)

}  // namespace tessera
