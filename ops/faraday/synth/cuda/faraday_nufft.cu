// SPDX-License-Identifier: Apache-2.0
// The entry point for any shape; those for one shape are compiled at run time.
#include "ops/faraday/synth/cuda/faraday_nufft.cuh"

namespace tessera {

extern "C" __global__ void __launch_bounds__(kLineThreads)
    faraday_nufft_any(const __grid_constant__ FaradayNufftArgs args) {
  faraday_nufft_pixels<FaradayNufftShape{}>(args);
}

}  // namespace tessera
