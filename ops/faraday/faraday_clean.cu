// SPDX-License-Identifier: Apache-2.0
// Entries for some numbers of depths a thread; others are compiled at run time.
#include "ops/faraday/faraday_clean.cuh"

namespace tessera {

#define TESSERA_FARADAY_CLEAN_ENTRY(entry, ...)                     \
  extern "C" __global__ void __launch_bounds__(kFaradayTeamThreads) \
      entry(const __grid_constant__ FaradayCleanArgs args) {        \
    faraday_clean_pixels<__VA_ARGS__>(args);                        \
  }

TESSERA_FARADAY_CLEAN_ENTRY(faraday_clean_f32_32_13, float, 32, 13, false)
TESSERA_FARADAY_CLEAN_ENTRY(faraday_clean_f32_32_32, float, 32, 32, false)
TESSERA_FARADAY_CLEAN_ENTRY(faraday_clean_f64_32_32, double, 32, 32, false)
TESSERA_FARADAY_CLEAN_ENTRY(faraday_clean_many_f32_32_32, float, 32, 32, true)
TESSERA_FARADAY_CLEAN_ENTRY(faraday_clean_many_f64_32_32, double, 32, 32, true)
TESSERA_FARADAY_CLEAN_ENTRY(faraday_clean_many_f32_256_32, float, 256, 32, true)
TESSERA_FARADAY_CLEAN_ENTRY(faraday_clean_many_f64_256_32, double, 256, 32, true)

}  // namespace tessera
