// SPDX-License-Identifier: Apache-2.0
// Smoothing, one thread per pixel: 25 fetches from device memory, each behind a bounds check.
#include "ops/enhance/study/step_pixels.cuh"

namespace tessera {

__device__ inline void smooth_pixel(const StepArgs& a) {
  const ThreadPixel p = thread_pixel<1>(a);
  if (p.inside) a.out[p.y * a.out_row + p.x] = smooth_with_checks(a, p.x, p.y);
}

TESSERA_STEP_ENTRY(smooth_naive, smooth_pixel)

}  // namespace tessera
