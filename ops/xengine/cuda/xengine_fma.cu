// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/cuda/xengine_fma.cuh"

namespace tessera {

// Two blocks per multiprocessor: for floats, only double sums then leave the registers, and these
// are used once per run. Sums of integers are used all the time.
#define TESSERA_XENGINE_FMA_ENTRY(entry, blocks, ...)                      \
  extern "C" __global__ void __launch_bounds__(kXEngineFmaThreads, blocks) \
      entry(const __grid_constant__ XEngineFmaArgs args) {                 \
    xengine_fma_tiles<__VA_ARGS__>(args);                                  \
  }

TESSERA_XENGINE_FMA_ENTRY(xengine_fma_cf32, 2, XEngineOfCf32)
TESSERA_XENGINE_FMA_ENTRY(xengine_fma_cf16, 2, XEngineOfCf16)
TESSERA_XENGINE_FMA_ENTRY(xengine_fma_ci16, 1, XEngineOfCi16)

}  // namespace tessera
