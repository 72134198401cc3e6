// SPDX-License-Identifier: Apache-2.0
// Cells that stand are part of the still scene, and would vanish with it. Circles of the scene that
// are cells are filled with what is behind them:
// - with the epochs that do not show the circle: the cell came or left while the scene was made;
// - with the scene before, if that does not show it: the cell came before that;
// - with what surrounds it, if it never left but is as clear as the cells that move.
#pragma once

#include "ops/cells/follow/cells_ring.cuh"

namespace tessera {

/// The filling of a circle of the scene.
enum class CellFill : unsigned char { nothing, epochs, scene_before, surroundings };

/// The mean outward derivative on a circle of a canvas whose pixel (x, y) `at(x, y, value)` gives,
/// or is false: not known. False if fewer than half of the points are known.
template <class Real, class At>
TESSERA_BOTH bool slope_on_canvas(At at, const CirclePoints<Real>& points, Real x, Real y,
                                  Real radius, Real& slope) {
  Real sum = 0;
  int n = 0;
  for (int i = 0; i < kCirclePoints; ++i) {
    Real ends[2] = {};
    bool known = true;
    for (int outer = 0; outer < 2; ++outer) {
      const Real r = radius + static_cast<Real>(2 * outer - 1);
      known = known && at(x + r * points.cosine[i], y + r * points.sine[i], ends[outer]);
    }
    if (!known) continue;
    sum += (ends[1] - ends[0]) / 2;
    ++n;
  }
  if (2 * n < kCirclePoints) return false;
  slope = sum / static_cast<Real>(n);
  return true;
}

/// Whether an epoch or a scene in which the circle has this slope does not show the circle.
template <class Real>
TESSERA_BOTH constexpr bool does_not_show(Real slope, const CellFind<Real>& circle) {
  return cell_sign(circle.slope) * slope <
         static_cast<Real>(kCells.standing_absent) * cell_abs(circle.slope);
}

/// Whether a find in the film's first frame is the trace of a cell that comes later: the scene,
/// given as in slope_on_canvas, has a circle of the other sign there.
template <class Real, class At>
TESSERA_BOTH bool is_ghost_find(At at, const CirclePoints<Real>& points,
                                const CellFind<Real>& find) {
  Real slope = 0;
  return slope_on_canvas(at, points, find.x, find.y, find.radius, slope) &&
         is_ghost(find.slope, slope);
}

/// Chooses the filling of a circle of the scene. `absent` and `present`: epochs that do not and
/// that do show it; a cell that moves on is in one or two. `slopes`: of the cells that move.
template <class Real>
TESSERA_BOTH constexpr CellFill fill_of(const CellFind<Real>& circle, int absent, int present,
                                        bool before_lacks_it, TypicalSlopes<Real> slopes) {
  const bool stands = present >= kCells.standing_epochs;
  if (stands && absent >= kCells.standing_epochs) return CellFill::epochs;
  if (before_lacks_it) return CellFill::scene_before;
  const Real score = cell_abs(circle.score), typical = slopes.like(circle.slope);
  const bool clear =
      stands && typical > 0 && score >= static_cast<Real>(kCells.standing_score) &&
      score * cell_abs(circle.slope) >= static_cast<Real>(kCells.standing_worth) * typical;
  return clear ? CellFill::surroundings : CellFill::nothing;
}

/// How far from its centre a circle is filled: the outline, and what smoothing made of it.
template <class Real>
TESSERA_BOTH constexpr Real fill_radius(const CellFind<Real>& circle) {
  return circle.radius + static_cast<Real>(kCells.standing_rim);
}

/// The surroundings seen from a point inside: the points of the circle around, nearer ones count
/// more. False if none is known.
template <class Real, class At>
TESSERA_BOTH bool from_surroundings(At at, const CirclePoints<Real>& points,
                                    const CellFind<Real>& circle, Real x, Real y, Real& value) {
  const Real radius = fill_radius(circle) + 1;
  Real sum = 0, weights = 0;
  for (int i = 0; i < kCirclePoints; ++i) {
    const Real px = circle.x + radius * points.cosine[i], py = circle.y + radius * points.sine[i];
    Real there = 0;
    if (!at(px, py, there)) continue;
    const Real dx = px - x, dy = py - y, weight = 1 / (dx * dx + dy * dy + Real(1));
    sum += weight * there;
    weights += weight;
  }
  if (!(weights > 0)) return false;
  value = sum / weights;
  return true;
}

}  // namespace tessera
