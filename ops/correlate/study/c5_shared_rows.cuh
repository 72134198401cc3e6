// SPDX-License-Identifier: Apache-2.0
// Local aggregation with everything in shared memory (the paper's table 2): the mask's row, and the
// rows of src that the tile's shifts need with it. Those are a ring: the next mask row needs the
// same rows except the first, so one row is loaded per step.
//
// A thread has kShifts shifts, tile_y apart; with two (the paper's unrolled forms) a pixel of the
// mask serves both. Rows below the image are zeros: the lower shift ends sooner and needs no test.
#pragma once

#include "ops/correlate/study/shift_pixels.cuh"

namespace tessera {

template <Layout kLayout, int kShifts>
__device__ void shared_rows_sum(const ShiftArgs& a) {
  const int ring = a.tile_y * kShifts, step = kShiftPlanes * a.side;
  const ThreadShift t = thread_shift(a, ring);
  float* const mask = shared_rows();
  float* const src = mask + step;
  for (int y = t.first_dy; y < t.first_dy + ring - 1; ++y)
    load_row<kLayout, Path::ca>(a, y, src + y % ring * step);
  float sum[kShifts] = {};
  for (int row = 0; row < a.side - t.first_dy; ++row) {
    __syncthreads();  // the row above is no longer read
    const int next = t.first_dy + row + ring - 1;
    load_row<kLayout, Path::ca>(a, next, src + next % ring * step);
    load_row<kLayout, Path::ca>(a, row, mask);
    __syncthreads();
    if (!t.works || row >= a.side - t.dy) continue;
    const float* moved[kShifts];
#pragma unroll
    for (int s = 0; s < kShifts; ++s) moved[s] = src + (t.dy + s * a.tile_y + row) % ring * step;
    for (int column = 0; column < a.side - t.dx; ++column) {
      const float4 still = row_pixel<kLayout>(mask, a.side, column);
#pragma unroll
      for (int s = 0; s < kShifts; ++s)
        sum[s] += dot(row_pixel<kLayout>(moved[s], a.side, t.dx + column), still);
    }
  }
#pragma unroll
  for (int s = 0; s < kShifts; ++s) {
    const int dy = t.dy + s * a.tile_y;
    if (t.works && dy < a.shifts) a.map[dy * a.shifts + t.dx] = sum[s];
  }
}

}  // namespace tessera
