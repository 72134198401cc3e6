// SPDX-License-Identifier: Apache-2.0
// The contour of a find, by a warp: cells_contour.cuh has the same by one thread.
#pragma once

#include "ops/cells/cuda/cells_follow_args.cuh"

namespace tessera {

/// Memory through which the lanes of a warp talk.
struct CellsContourMemory {
  CellSpline<float> spline;
  SplinePush<float> pushes[kSplineSamples];
  SplinePart<float> parts[kSplineSamples];
  float radii[kSplineSamples];
};

/// As spline_climb: lanes take the samples, then each control point adds up what they push it by,
/// in the order of samples.
__device__ inline void cells_climb_contour(const SplineBasis<float>& basis,
                                           const SplineImage<float>& image, float step,
                                           CellsContourMemory& memory) {
  const int lane = threadIdx.x % 32;
  for (int sample = lane; sample < kSplineSamples; sample += 32)
    memory.pushes[sample] = spline_push(memory.spline, basis, image, sample);
  __syncwarp();
  if (lane < kSplineControls) {
    float x = 0, y = 0;
    for (int segment = 0; segment < kSplineControls; ++segment) {
      const int k = (lane - segment + 1 + kSplineControls) % kSplineControls;
      if (k >= 4) continue;
      for (int j = 0; j < kSplinePieces; ++j) {
        x += memory.pushes[segment * kSplinePieces + j].x[k];
        y += memory.pushes[segment * kSplinePieces + j].y[k];
      }
    }
    memory.spline.x[lane] += step * x;
    memory.spline.y[lane] += step * y;
  }
  __syncwarp();
}

/// As spline_shape; all lanes get the shape.
__device__ inline SplineShape<float> cells_shape_of_contour(const SplineBasis<float>& basis,
                                                            const SplineImage<float>& image,
                                                            float floor,
                                                            CellsContourMemory& memory) {
  const int lane = threadIdx.x % 32;
  for (int sample = lane; sample < kSplineSamples; sample += 32)
    memory.parts[sample] = spline_part(memory.spline, basis, image, sample);
  __syncwarp();
  SplineSums<float> sums;
  for (const SplinePart<float>& part : memory.parts) spline_add(sums, part);
  SplineShape<float> shape = spline_shape_of(sums, floor);
  for (int sample = lane; sample < kSplineSamples; sample += 32)
    memory.radii[sample] = spline_radius_part(memory.spline, basis, shape, sums.around, sample);
  __syncwarp();
  for (const float radius : memory.radii) shape.radius += radius;
  return shape;
}

/// As settle_contour; all lanes have the same find before and after.
__device__ inline bool cells_settle_contour(const SplineImage<float>& image,
                                            const CirclePoints<float>& circle, float floor,
                                            const ContourRules<float>& rules,
                                            CellsContourMemory& memory, CellFind<float>& find) {
  const SplineBasis<float> basis = spline_basis<float>();
  const float step = contour_step(image, circle, floor, find);
  if (step == 0) return false;
  __syncwarp();  // lanes may still be reading the contour before this one
  if (threadIdx.x % 32 == 0) memory.spline = spline_circle(find.x, find.y, find.radius);
  __syncwarp();
  for (int i = 0; i < kCells.spline_iterations; ++i)
    cells_climb_contour(basis, image, step, memory);
  return take_contour(cells_shape_of_contour(basis, image, floor, memory), rules, find);
}

}  // namespace tessera
