// SPDX-License-Identifier: Apache-2.0
#include "ops/faraday/stokes/cuda/stokes_fit.cuh"

namespace tessera {

#define TESSERA_STOKES_FIT_ENTRY(entry, T)                     \
  extern "C" __global__ void __launch_bounds__(kStokesThreads) \
      entry(const __grid_constant__ StokesFitArgs args) {      \
    stokes_fit_pixels<T>(args);                                \
  }

TESSERA_STOKES_FIT_ENTRY(stokes_fit_f32, float)
TESSERA_STOKES_FIT_ENTRY(stokes_fit_f64, double)

}  // namespace tessera
