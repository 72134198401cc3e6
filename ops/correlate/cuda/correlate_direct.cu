// SPDX-License-Identifier: Apache-2.0
// Entry points: correlate_pad_TYPE, correlate_jobs_WARPSxWARPS, correlate_add_jobs.
#include "ops/correlate/cuda/correlate_direct.cuh"

namespace tessera {

#define TESSERA_CORRELATE_PAD_ENTRY(name, type)                                \
  extern "C" __global__ void __launch_bounds__(kCorrelateThreads)              \
      correlate_pad_##name(const __grid_constant__ CorrelateDirectArgs args) { \
    correlate_pad<type>(args);                                                 \
  }

TESSERA_CORRELATE_PAD_ENTRY(u8, unsigned char)
TESSERA_CORRELATE_PAD_ENTRY(u16, unsigned short)
TESSERA_CORRELATE_PAD_ENTRY(f32, float)
TESSERA_CORRELATE_PAD_ENTRY(f64, double)

extern "C" __global__ void __launch_bounds__(128, 3)
    correlate_jobs_2x2(const __grid_constant__ CorrelateDirectArgs args) {
  correlate_jobs<CorrelateDirectKnobs{2, 2}>(args);
}

extern "C" __global__ void __launch_bounds__(32, 12)
    correlate_jobs_1x1(const __grid_constant__ CorrelateDirectArgs args) {
  correlate_jobs<CorrelateDirectKnobs{1, 1}>(args);
}

extern "C" __global__ void __launch_bounds__(kCorrelateThreads)
    correlate_add_jobs(const __grid_constant__ CorrelateDirectArgs args) {
  correlate_add(args);
}

}  // namespace tessera
