// SPDX-License-Identifier: Apache-2.0
// Grey, several pixels per thread: 4 pixels are three fetches of 4 bytes, 16 pixels three of 16.
#include "ops/enhance/study/step_pixels.cuh"

namespace tessera {

template <int kPixels>
__device__ void grey_words(const StepArgs& a) {
  const ThreadPixel p = thread_pixel<kPixels>(a);
  if (!p.inside) return;
  unsigned rgb[3 * kPixels / 4], grey[kPixels / 4] = {};
  load_words(a.from + p.y * a.from_row + 3 * p.x, rgb);
#pragma unroll
  for (int k = 0; k < kPixels; ++k)
    grey[k / 4] |= grey_of(byte_of(rgb, 3 * k), byte_of(rgb, 3 * k + 1), byte_of(rgb, 3 * k + 2))
                   << 8 * (k % 4);
  store_words(grey, a.out + p.y * a.out_row + p.x);
}

TESSERA_STEP_ENTRY(grey_four, grey_words<4>)
TESSERA_STEP_ENTRY(grey_sixteen, grey_words<16>)

}  // namespace tessera
