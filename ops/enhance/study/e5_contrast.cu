// SPDX-License-Identifier: Apache-2.0
// Contrast: branches for values below and above, or the minimum and maximum of two numbers. A
// thread has a pixel, or a fetch of 4 bytes.
#include "ops/enhance/study/step_pixels.cuh"

namespace tessera {

__device__ inline unsigned stretched_by_branches(const StepArgs& a, int v) {
  if (v < a.low) return 0;
  if (v > a.high) return 255;
  return stretched(a, v);
}

__device__ inline unsigned stretched_by_limits(const StepArgs& a, int v) {
  return stretched(a, min(max(v, a.low), a.high));
}

__device__ inline void contrast_bytes_of(const StepArgs& a) {
  const ThreadPixel p = thread_pixel<1>(a);
  if (!p.inside) return;
  const int v = a.from[p.y * a.from_row + p.x];
  a.out[p.y * a.out_row + p.x] = static_cast<unsigned char>(stretched_by_branches(a, v));
}

template <class Curve>
__device__ void contrast_words(const StepArgs& a, Curve curve) {
  const ThreadPixel p = thread_pixel<4>(a);
  if (!p.inside) return;
  unsigned grey[1], made[1] = {};
  load_words(a.from + p.y * a.from_row + p.x, grey);
#pragma unroll
  for (int k = 0; k < 4; ++k) made[0] |= curve(a, static_cast<int>(byte_of(grey, k))) << 8 * k;
  store_words(made, a.out + p.y * a.out_row + p.x);
}

__device__ inline void contrast_four_of(const StepArgs& a) {
  contrast_words(a, [](const StepArgs& s, int v) { return stretched_by_branches(s, v); });
}
__device__ inline void contrast_branchless_of(const StepArgs& a) {
  contrast_words(a, [](const StepArgs& s, int v) { return stretched_by_limits(s, v); });
}

TESSERA_STEP_ENTRY(contrast_bytes, contrast_bytes_of)
TESSERA_STEP_ENTRY(contrast_four, contrast_four_of)
TESSERA_STEP_ENTRY(contrast_branchless, contrast_branchless_of)

}  // namespace tessera
