// SPDX-License-Identifier: Apache-2.0
#include "ops/faraday/bands/cuda/faraday_bands.cuh"

namespace tessera {

#define TESSERA_FARADAY_BANDS_ENTRY(entry, body)                    \
  extern "C" __global__ void __launch_bounds__(kFaradayBandThreads) \
      entry(const __grid_constant__ FaradayBandsArgs args) {        \
    body(args);                                                     \
  }

TESSERA_FARADAY_BANDS_ENTRY(faraday_bands_f32, faraday_band_pixels<float>)
TESSERA_FARADAY_BANDS_ENTRY(faraday_bands_f64, faraday_band_pixels<double>)
TESSERA_FARADAY_BANDS_ENTRY(faraday_weigh_f32, faraday_weigh_pixels<float>)
TESSERA_FARADAY_BANDS_ENTRY(faraday_weigh_f64, faraday_weigh_pixels<double>)

}  // namespace tessera
