// SPDX-License-Identifier: Apache-2.0
#include "ops/faraday/synth/cuda/faraday_gemm.cuh"

namespace tessera {

#define TESSERA_FARADAY_GEMM_ENTRY(entry, ...)                      \
  extern "C" __global__ void __launch_bounds__(kFaradayGemmThreads) \
      entry(const __grid_constant__ FaradayGemmArgs args) {         \
    __VA_ARGS__(args);                                              \
  }

TESSERA_FARADAY_GEMM_ENTRY(faraday_pack_f32, faraday_pack<float>)
TESSERA_FARADAY_GEMM_ENTRY(faraday_pack_f64, faraday_pack<double>)
TESSERA_FARADAY_GEMM_ENTRY(faraday_combine_f32, faraday_combine<float>)
TESSERA_FARADAY_GEMM_ENTRY(faraday_combine_f64, faraday_combine<double>)

}  // namespace tessera
