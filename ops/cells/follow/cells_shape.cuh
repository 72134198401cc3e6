// SPDX-License-Identifier: Apache-2.0
// The shape of a cell in one frame. The star that follows a cell is held near a circle, so that it
// does not lose the cell: it would show one that is 1.45 times as long as wide as 1.05. The outline
// is therefore measured after it: a circle with waves that climb to the steepest outline.
#pragma once

#include "ops/cells/follow/cells_ring.cuh"
#include "ops/cells/follow/cells_star_snake.cuh"

namespace tessera {

/// A mean radius, then cosine and sine of waves with two, three and four periods around the cell.
inline constexpr int kShapeTerms = 7;
template <class Real>
struct CellShape {
  Real terms[kShapeTerms];
};
TESSERA_BOTH constexpr int shape_periods(int term) { return term == 0 ? 0 : (term + 3) / 2; }

/// A term in direction i, where it is 1 at most. All waves of equal directions are among them.
template <class Real>
TESSERA_BOTH Real shape_wave(const CirclePoints<Real>& points, int i, int term) {
  const int at = shape_periods(term) * i % kCirclePoints;
  return term > 0 && term % 2 == 0 ? points.sine[at] : points.cosine[at];
}
template <class Real>
TESSERA_BOTH Real shape_radius(const CellShape<Real>& shape, const CirclePoints<Real>& points,
                               int i) {
  Real radius = shape.terms[0];
  for (int term = 1; term < kShapeTerms; ++term)
    radius += shape.terms[term] * shape_wave(points, i, term);
  return radius;
}

/// The mean outward derivative on an outline with radius(i) in direction i, as in circle_measure.
template <class Real, class Radius>
TESSERA_BOTH Real shape_slope(const Real* across, const Real* down, int width, int height,
                              const CirclePoints<Real>& points, Real x, Real y, Radius radius) {
  Real sum = 0;
  int n = 0;
  for (int i = 0; i < kCirclePoints; ++i) {
    const Real reach = radius(i);
    const Real px = x + reach * points.cosine[i], py = y + reach * points.sine[i];
    if (!(px >= 0 && py >= 0 && px <= static_cast<Real>(width - 1) &&
          py <= static_cast<Real>(height - 1)))
      continue;
    sum += cell_bilinear(across, width, height, px, py) * points.cosine[i] +
           cell_bilinear(down, width, height, px, py) * points.sine[i];
    ++n;
  }
  return 2 * n < kCirclePoints ? Real(0) : sum / static_cast<Real>(n);
}

/// Moves all terms at once, each to the top of a parabola, until none moves any more.
template <class Real>
TESSERA_BOTH void shape_climb(const Real* across, const Real* down, int width, int height,
                              const CirclePoints<Real>& points, Real sign, Real x, Real y,
                              CellShape<Real>& shape) {
  for (int step = 0; step < kCells.shape_steps; ++step) {
    Real radii[kCirclePoints];
    for (int i = 0; i < kCirclePoints; ++i) radii[i] = shape_radius(shape, points, i);
    const auto steep = [&](int term, Real moved) {
      return sign * shape_slope(across, down, width, height, points, x, y, [&](int i) {
               return radii[i] + moved * shape_wave(points, i, term);
             });
    };
    const Real here = steep(0, 0);
    Real most = 0;
    for (int term = 0; term < kShapeTerms; ++term) {
      const Real move = parabola_top(steep(term, -1), here, steep(term, 1));
      shape.terms[term] += move;
      most = cell_max(most, cell_abs(move));
    }
    if (most < static_cast<Real>(kCells.shape_stop)) return;
  }
}

/// The distance of the outline in direction j of a star. Smoothing moves the steepest outline
/// inwards by sigma^2 / 2 times its curvature (outline_radius has it for a circle).
template <class Real>
TESSERA_BOTH Real shape_outline(const CellShape<Real>& shape, const StarDirections<Real>& star,
                                int j) {
  Real radius = shape.terms[0], first = 0, second = 0;  // derivatives by the angle
  for (int term = 1; term < kShapeTerms; ++term) {
    const int periods = shape_periods(term), at = periods * j % kSnaxels;
    const Real n = static_cast<Real>(periods), height = shape.terms[term];
    const bool is_sine = term % 2 == 0;
    const Real wave = height * (is_sine ? star.sine[at] : star.cosine[at]);
    radius += wave;
    first += n * height * (is_sine ? star.cosine[at] : -star.sine[at]);
    second -= n * n * wave;
  }
  const Real square = radius * radius + first * first, width = static_cast<Real>(kCells.ring_width);
  const Real curvature = (square + first * first - radius * second) / (square * cell_sqrt(square));
  return radius + width * width / 2 * curvature;
}

/// Whether a point of an outline is where that of a cell of this radius can be, and in the window.
template <class Real>
TESSERA_BOTH constexpr bool outline_is_clear(Real reach, Real radius, Real x, Real y, int width,
                                             int height) {
  return reach >= static_cast<Real>(kCells.shape_least) * radius &&
         reach <= static_cast<Real>(kCells.shape_most) * radius && x >= 0 && y >= 0 &&
         x <= static_cast<Real>(width - 1) && y <= static_cast<Real>(height - 1);
}

}  // namespace tessera
