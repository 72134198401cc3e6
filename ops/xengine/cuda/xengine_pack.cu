// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/cuda/xengine_pack.cuh"

namespace tessera {

#define TESSERA_XENGINE_PACK_ENTRY(entry, ...)                      \
  extern "C" __global__ void __launch_bounds__(kXEnginePackThreads) \
      entry(const __grid_constant__ XEnginePackArgs args) {         \
    __VA_ARGS__(args);                                              \
  }

TESSERA_XENGINE_PACK_ENTRY(xengine_pack_ci8, xengine_pack_samples<false, false>)
TESSERA_XENGINE_PACK_ENTRY(xengine_pack_pairs, xengine_pack_samples<true, false>)
TESSERA_XENGINE_PACK_ENTRY(xengine_pack_ci4, xengine_pack_samples<false, true>)
TESSERA_XENGINE_PACK_ENTRY(xengine_pack_runs1, xengine_pack_runs<1>)
TESSERA_XENGINE_PACK_ENTRY(xengine_pack_runs2, xengine_pack_runs<2>)
TESSERA_XENGINE_PACK_ENTRY(xengine_pack_mask, xengine_clear_invalid)

}  // namespace tessera
