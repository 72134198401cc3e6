// SPDX-License-Identifier: Apache-2.0
// A candidate becomes a find if its contour settles; it is dropped if the contour wanders off.
#pragma once

#include "ops/cells/detect/cells_spline.cuh"
#include "ops/cells/follow/cells_ring.cuh"

namespace tessera {

/// Requirements on a contour.
template <class Real>
struct ContourRules {
  Real score;  ///< minimum |score|
  Real radius_least, radius_most;
};

/// The contour of the find; false if it wandered off or covers too little of an outline.
template <class Real>
TESSERA_BOTH bool settle_contour(const SplineImage<Real>& image, const CirclePoints<Real>& circle,
                                 Real floor, const ContourRules<Real>& rules,
                                 CellFind<Real>& find) {
  const SplineBasis<Real> basis = spline_basis<Real>();
  const Real slope = cell_abs(circle_measure(image.across, image.down, image.width, image.height,
                                             circle, find.x, find.y, find.radius, floor)
                                  .slope);
  if (!(slope > 0)) return false;
  const Real step = cell_sign(find.score) * static_cast<Real>(kCells.spline_step) / slope;
  CellSpline<Real> spline = spline_circle(find.x, find.y, find.radius);
  for (int i = 0; i < kCells.spline_iterations; ++i) spline_climb(spline, basis, image, step);
  const SplineShape<Real> shape = spline_shape(spline, basis, image, floor);
  const Real dx = shape.x - find.x, dy = shape.y - find.y;
  const Real far = static_cast<Real>(kCells.spline_wander) * find.radius;
  if (!(dx * dx + dy * dy < far * far) || cell_abs(shape.radius - find.radius) > far ||
      shape.score * find.score < 0 || cell_abs(shape.score) < rules.score)
    return false;
  find = {shape.x, shape.y, cell_clamp(shape.radius, rules.radius_least, rules.radius_most),
          shape.score, shape.slope};
  return true;
}

}  // namespace tessera
