// SPDX-License-Identifier: Apache-2.0
// Local aggregation with the mask's row in shared memory (the paper's figures 8 and 9): every
// thread of a tile reads the same one at the same time. src comes through texture or caches. Low,
// wide tiles read src side by side; tall, narrow ones share each mask row among more shifts.
#include "ops/correlate/study/shift_pixels.cuh"

namespace tessera {

template <Layout kLayout, Path kPath>
__device__ void mask_row(const ShiftArgs& a) {
  float* const mask = shared_rows();
  const ThreadShift t = thread_shift(a, a.tile_y);
  float sum = 0;
  for (int row = 0; row < a.side - t.first_dy; ++row) {
    __syncthreads();  // the row above is no longer read
    load_row<kLayout, kPath>(a, row, mask);
    __syncthreads();
    if (!t.works || row >= a.side - t.dy) continue;
    const int src = (t.dy + row) * a.side + t.dx;
    for (int column = 0; column < a.side - t.dx; ++column)
      sum += dot(pixel<kLayout, kPath>(a, src + column), row_pixel<kLayout>(mask, a.side, column));
  }
  if (t.works) a.map[t.dy * a.shifts + t.dx] = sum;
}

TESSERA_SHIFT_ENTRY(mask_row_together_texture, mask_row<Layout::together, Path::texture>)
TESSERA_SHIFT_ENTRY(mask_row_together_ca, mask_row<Layout::together, Path::ca>)
TESSERA_SHIFT_ENTRY(mask_row_together_cg, mask_row<Layout::together, Path::cg>)
TESSERA_SHIFT_ENTRY(mask_row_separate_texture, mask_row<Layout::separate, Path::texture>)
TESSERA_SHIFT_ENTRY(mask_row_separate_ca, mask_row<Layout::separate, Path::ca>)
TESSERA_SHIFT_ENTRY(mask_row_separate_cg, mask_row<Layout::separate, Path::cg>)

}  // namespace tessera
