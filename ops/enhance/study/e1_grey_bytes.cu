// SPDX-License-Identifier: Apache-2.0
// Grey, one thread per pixel, three fetches of a byte. The rungs differ in the pixels of a warp:
// pixels below each other, two half rows of a packed image, or a row's piece that begins at a
// multiple of 32.
#include "ops/enhance/study/step_pixels.cuh"

namespace tessera {

__device__ inline void grey_pixel(const StepArgs& a, const ThreadPixel& p) {
  if (!p.inside) return;
  const unsigned char* const rgb = a.from + p.y * a.from_row + 3 * p.x;
  a.out[p.y * a.out_row + p.x] = static_cast<unsigned char>(grey_of(rgb[0], rgb[1], rgb[2]));
}

/// Neighbouring threads have pixels below each other.
__device__ inline void grey_down(const StepArgs& a) {
  const int x = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y);
  const int y = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x);
  grey_pixel(a, {x, y, x < a.width && y < a.height});
}

__device__ inline void grey_across(const StepArgs& a) { grey_pixel(a, thread_pixel<1>(a)); }

TESSERA_STEP_ENTRY(grey_columns, grey_down)
TESSERA_STEP_ENTRY(grey_bytes, grey_across)

}  // namespace tessera
