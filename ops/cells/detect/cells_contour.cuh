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

/// The step of a contour that starts as the find's circle; 0 if there is no outline to climb.
template <class Real>
TESSERA_BOTH Real contour_step(const SplineImage<Real>& image, const CirclePoints<Real>& circle,
                               Real floor, const CellFind<Real>& find) {
  const Real slope = cell_abs(circle_measure(image.across, image.down, image.width, image.height,
                                             circle, find.x, find.y, find.radius, floor)
                                  .slope);
  if (!(slope > 0)) return 0;
  return cell_sign(find.score) * static_cast<Real>(kCells.spline_step) / slope;
}

/// The find becomes the shape that its contour has taken; false if it wandered off or covers too
/// little of an outline.
template <class Real>
TESSERA_BOTH bool take_contour(const SplineShape<Real>& shape, const ContourRules<Real>& rules,
                               CellFind<Real>& find) {
  const Real dx = shape.x - find.x, dy = shape.y - find.y;
  const Real far = static_cast<Real>(kCells.spline_wander) * find.radius;
  if (!(dx * dx + dy * dy < far * far) || cell_abs(shape.radius - find.radius) > far ||
      shape.score * find.score < 0 || cell_abs(shape.score) < rules.score)
    return false;
  find = {shape.x, shape.y, cell_clamp(shape.radius, rules.radius_least, rules.radius_most),
          shape.score, shape.slope};
  return true;
}

/// The contour of the find; false if it is dropped.
template <class Real>
TESSERA_BOTH bool settle_contour(const SplineImage<Real>& image, const CirclePoints<Real>& circle,
                                 Real floor, const ContourRules<Real>& rules,
                                 CellFind<Real>& find) {
  const SplineBasis<Real> basis = spline_basis<Real>();
  const Real step = contour_step(image, circle, floor, find);
  if (step == 0) return false;
  CellSpline<Real> spline = spline_circle(find.x, find.y, find.radius);
  for (int i = 0; i < kCells.spline_iterations; ++i) spline_climb(spline, basis, image, step);
  return take_contour(spline_shape(spline, basis, image, floor), rules, find);
}

}  // namespace tessera
