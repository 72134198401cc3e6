// SPDX-License-Identifier: Apache-2.0
// The shape of a cell, by a warp: cells_shape.cuh has the same by one thread.
#pragma once

#include "ops/cells/cuda/cells_follow_args.cuh"

namespace tessera {

/// The gradients of a window.
struct CellsSlopes {
  const float *across, *down;
  int width, height;
};

/// As shape_climb: lanes measure the shape with each of its terms moved back and forth.
__device__ inline void cells_climb_shape(const CirclePoints<float>& points,
                                         const CellsSlopes& slopes, float sign, float x, float y,
                                         CellShape<float>& shape) {
  static_assert(2 * kShapeTerms < 32, "one lane measures the shape as it is");
  const int lane = threadIdx.x % 32, term = lane / 2 % kShapeTerms;
  const float moved = lane >= 2 * kShapeTerms ? 0.0F : lane % 2 ? 1.0F : -1.0F;
  for (int step = 0; step < kCells.shape_steps; ++step) {
    const float slope = sign * shape_slope(slopes.across, slopes.down, slopes.width, slopes.height,
                                           points, x, y, [&](int i) {
                                             return shape_radius(shape, points, i) +
                                                    moved * shape_wave(points, i, term);
                                           });
    const float here = __shfl_sync(~0U, slope, 2 * kShapeTerms);
    float most = 0;
    for (int k = 0; k < kShapeTerms; ++k) {
      const float in = __shfl_sync(~0U, slope, 2 * k), out = __shfl_sync(~0U, slope, 2 * k + 1);
      const float move = parabola_top(in, here, out);
      shape.terms[k] += move;
      most = cell_max(most, cell_abs(move));
    }
    if (most < static_cast<float>(kCells.shape_stop)) return;
  }
}

/// The outline around a place of the window, one radius per lane; false if it is doubtful.
__device__ inline bool cells_outline_around(const CellsDirections& directions,
                                            const CellsSlopes& slopes, float sign,
                                            const CirclePlace<float>& place, float radius,
                                            float* radii) {
  CellShape<float> shape{{radius}};
  cells_climb_shape(directions.circle, slopes, sign, place.x, place.y, shape);
  const int lane = threadIdx.x % 32, j = lane < kSnaxels ? lane : 0;
  const float reach = shape_outline(shape, directions.star, j);
  if (lane < kSnaxels) radii[j] = reach;
  const bool clear =
      outline_is_clear(reach, radius, place.x + reach * directions.star.cosine[j],
                       place.y + reach * directions.star.sine[j], slopes.width, slopes.height);
  return __ballot_sync(~0U, clear) == ~0U;
}

}  // namespace tessera
