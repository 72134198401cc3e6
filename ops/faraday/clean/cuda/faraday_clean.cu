// SPDX-License-Identifier: Apache-2.0
// Entry points for any number of depths, and for 385 to 416, of which 401 is the usual one; others
// are compiled at run time.
#include "ops/faraday/clean/cuda/faraday_clean.cuh"

namespace tessera {

#define TESSERA_FARADAY_CLEAN_ENTRY(entry, ...)                     \
  extern "C" __global__ void __launch_bounds__(kFaradayTeamThreads) \
      entry(const __grid_constant__ FaradayCleanArgs args) {        \
    faraday_clean_pixels<__VA_ARGS__>(args);                        \
  }

TESSERA_FARADAY_CLEAN_ENTRY(faraday_clean_f32_401, float, CleanKnobs{32, 13, true}, false)
TESSERA_FARADAY_CLEAN_ENTRY(faraday_clean_f32_warps, float, CleanKnobs{32, 32, false}, false)
TESSERA_FARADAY_CLEAN_ENTRY(faraday_clean_f64_warps, double, CleanKnobs{32, 32, false}, false)
TESSERA_FARADAY_CLEAN_ENTRY(faraday_clean_f32_401_many, float, CleanKnobs{32, 13, true}, true)
TESSERA_FARADAY_CLEAN_ENTRY(faraday_clean_f32_warps_many, float, CleanKnobs{32, 32, false}, true)
TESSERA_FARADAY_CLEAN_ENTRY(faraday_clean_f64_warps_many, double, CleanKnobs{32, 32, false}, true)
TESSERA_FARADAY_CLEAN_ENTRY(faraday_clean_f32_blocks_many, float, CleanKnobs{256, 32, false}, true)
TESSERA_FARADAY_CLEAN_ENTRY(faraday_clean_f64_blocks_many, double, CleanKnobs{256, 32, false}, true)

}  // namespace tessera
