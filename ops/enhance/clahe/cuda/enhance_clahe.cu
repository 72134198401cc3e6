// SPDX-License-Identifier: Apache-2.0
// Entry points of the kernels of adaptive equalisation: clahe_WHAT, or clahe_WHAT_TYPE.
#include "ops/enhance/clahe/cuda/enhance_clahe.cuh"

namespace tessera {

#define TESSERA_CLAHE_ENTRY(entry, body)                        \
  extern "C" __global__ void __launch_bounds__(kClaheThreads)   \
      enhance_##entry(const __grid_constant__ ClaheArgs args) { \
    body(args);                                                 \
  }

TESSERA_CLAHE_ENTRY(clahe_start, clahe_start)
TESSERA_CLAHE_ENTRY(clahe_range, clahe_range)
TESSERA_CLAHE_ENTRY(clahe_bins, clahe_bins)
TESSERA_CLAHE_ENTRY(clahe_results, clahe_results)
TESSERA_CLAHE_ENTRY(clahe_count_u8, clahe_count<unsigned char>)
TESSERA_CLAHE_ENTRY(clahe_count_u16, clahe_count<unsigned short>)
TESSERA_CLAHE_ENTRY(clahe_curves_u8, clahe_curves<unsigned char>)
TESSERA_CLAHE_ENTRY(clahe_curves_u16, clahe_curves<unsigned short>)
TESSERA_CLAHE_ENTRY(clahe_extremes_u8, clahe_extremes<unsigned char>)
TESSERA_CLAHE_ENTRY(clahe_extremes_u16, clahe_extremes<unsigned short>)
TESSERA_CLAHE_ENTRY(clahe_make_u8, clahe_make<unsigned char>)
TESSERA_CLAHE_ENTRY(clahe_make_u16, clahe_make<unsigned short>)

}  // namespace tessera
