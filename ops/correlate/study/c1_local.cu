// SPDX-License-Identifier: Apache-2.0
// Local aggregation: a thread has one shift and goes through its overlap alone, independently of
// the others. Nothing is in shared memory (the paper's table 3): texture or caches serve both src
// and mask. Pixels of src are side by side in a warp, the mask's pixel is the same for all.
#include "ops/correlate/study/shift_pixels.cuh"

namespace tessera {

template <Layout kLayout, Path kPath>
__device__ void local_sum(const ShiftArgs& a) {
  const ThreadShift t = thread_shift(a, a.tile_y);
  if (!t.works) return;
  float sum = 0;
  for (int row = 0; row < a.side - t.dy; ++row) {
    const int src = (t.dy + row) * a.side + t.dx, mask = row * a.side;
    for (int column = 0; column < a.side - t.dx; ++column)
      sum += dot(pixel<kLayout, kPath>(a, src + column), pixel<kLayout, kPath>(a, mask + column));
  }
  a.map[t.dy * a.shifts + t.dx] = sum;
}

TESSERA_SHIFT_ENTRY(local_together_texture, local_sum<Layout::together, Path::texture>)
TESSERA_SHIFT_ENTRY(local_together_ca, local_sum<Layout::together, Path::ca>)
TESSERA_SHIFT_ENTRY(local_together_cg, local_sum<Layout::together, Path::cg>)
TESSERA_SHIFT_ENTRY(local_separate_texture, local_sum<Layout::separate, Path::texture>)
TESSERA_SHIFT_ENTRY(local_separate_ca, local_sum<Layout::separate, Path::ca>)
TESSERA_SHIFT_ENTRY(local_separate_cg, local_sum<Layout::separate, Path::cg>)

}  // namespace tessera
