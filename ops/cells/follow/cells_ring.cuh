// SPDX-License-Identifier: Apache-2.0
// A cell's outline in the image's gradient: its model, how it is removed when another cell is
// searched for, and how well a circle matches it.
#pragma once

#include "ops/cells/cells_model.cuh"
#include "ops/cells/life/cells_life.cuh"

namespace tessera {

/// The gradient of a disc: along the radius, largest at the outline.
template <class Real>
struct CellRing {
  Real x, y, radius, slope;
};
template <class Real>
TESSERA_BOTH constexpr CellRing<Real> ring_of(const CellSlot<Real>& slot) {
  return {slot.motion.x, slot.motion.y, slot.radius, slot.slope};
}

/// Smoothing a disc moves its steepest circle inwards by about sigma^2 / (2 radius): gives the
/// outline's radius from that of the steepest circle.
template <class Real>
TESSERA_BOTH constexpr Real outline_radius(Real steepest) {
  const Real width = static_cast<Real>(kCells.ring_width);
  return steepest + width * width / (2 * steepest);
}

/// A Gaussian across the outline, approximated without exp so that all paths give the same value:
/// (1 - t^2 / 8)^4.
template <class Real>
TESSERA_BOTH constexpr Real ring_profile(Real from_outline) {
  const Real t = from_outline / static_cast<Real>(kCells.ring_width);
  const Real u = 1 - t * t / 8;
  return u > 0 ? (u * u) * (u * u) : Real(0);
}

/// Whether `other` is removed from the window of `own` where they may overlap: a confirmed cell, or
/// a new one that has clearly been a cell for some frames. Two faint new tracks that are removed
/// from each other's windows would live on the removal alone.
template <class Real>
TESSERA_BOTH constexpr bool ring_counts(const CellSlot<Real>& other, const CellSlot<Real>& own) {
  const bool counts =
      other.stage == CellStage::confirmed ||
      (other.stage == CellStage::trial && other.seen_frames > kCells.sure_frames &&
       other.trust > static_cast<Real>(kCells.sure_score) && !is_ghost(other.slope, other.ground));
  if (!counts) return false;
  const Real dx = other.motion.x - own.motion.x, dy = other.motion.y - own.motion.y;
  const Real reach = other.radius + own.radius + static_cast<Real>(4 * kCells.ring_width);
  return dx * dx + dy * dy < reach * reach;
}

template <class Real>
TESSERA_BOTH void ring_subtract(const CellRing<Real>& ring, Real x, Real y, Real& across,
                                Real& down) {
  const Real dx = x - ring.x, dy = y - ring.y, distance = cell_sqrt(dx * dx + dy * dy);
  if (!(distance > 0)) return;
  const Real slope = ring.slope * ring_profile(distance - ring.radius) / distance;
  across -= slope * dx;
  down -= slope * dy;
}

/// The outward derivative as seen from the centre (dx, dy away), if it has the cell's sign; it
/// counts less far from the outline.
template <class Real>
TESSERA_BOTH Real own_edge(Real across, Real down, Real dx, Real dy, Real sign, Real radius) {
  const Real distance = cell_sqrt(dx * dx + dy * dy);
  if (!(distance > 0)) return 0;
  const Real out = sign * (across * dx + down * dy) / distance;
  const Real t = (distance - radius) / static_cast<Real>(kCells.edge_reach);
  return t * t < 1 ? cell_max(out, Real(0)) * (1 - t * t) : Real(0);
}

inline constexpr int kCirclePoints = 36;
template <class Real>
struct CirclePoints {
  Real cosine[kCirclePoints], sine[kCirclePoints];
};

/// Measurements of a circle: its score, and the mean outward derivative. Points outside the window
/// do not count; with fewer than half of the points inside, both are 0.
template <class Real>
struct CircleMeasure {
  Real score, slope;
};
template <class Real>
TESSERA_BOTH CircleMeasure<Real> circle_measure(const Real* across, const Real* down, int width,
                                                int height, const CirclePoints<Real>& points,
                                                Real x, Real y, Real radius, Real floor) {
  Real sum = 0, squares = 0;
  int n = 0;
  for (int i = 0; i < kCirclePoints; ++i) {
    const Real px = x + radius * points.cosine[i], py = y + radius * points.sine[i];
    if (!(px >= 0 && py >= 0 && px <= static_cast<Real>(width - 1) &&
          py <= static_cast<Real>(height - 1)))
      continue;
    const Real out = cell_bilinear(across, width, height, px, py) * points.cosine[i] +
                     cell_bilinear(down, width, height, px, py) * points.sine[i];
    sum += out;
    squares += out * out;
    ++n;
  }
  if (2 * n < kCirclePoints) return {0, 0};
  return {circle_score(sum, squares, n, floor), sum / static_cast<Real>(n)};
}

/// The vertex of a parabola through three values one apart, relative to the middle one; at most
/// kCells.climb_most away, 0 if there is no maximum.
template <class Real>
TESSERA_BOTH constexpr Real parabola_top(Real before, Real here, Real after) {
  const Real bend = before - 2 * here + after, most = static_cast<Real>(kCells.climb_most);
  return bend < 0 ? cell_clamp((before - after) / (2 * bend), -most, most) : Real(0);
}

/// A circle in the window's pixels.
template <class Real>
struct CirclePlace {
  Real x, y, radius;
};

/// Moves a circle, in position and radius, towards the steepest outline.
template <class Real>
TESSERA_BOTH void circle_climb(const Real* across, const Real* down, int width, int height,
                               const CirclePoints<Real>& points, Real sign,
                               CirclePlace<Real>& circle) {
  const auto steep = [&](Real dx, Real dy, Real dr) {
    return sign * circle_measure(across, down, width, height, points, circle.x + dx, circle.y + dy,
                                 circle.radius + dr, Real(0))
                      .slope;
  };
  for (int i = 0; i < kCells.climbs; ++i) {
    const Real here = steep(0, 0, 0);
    const Real dx = parabola_top(steep(-1, 0, 0), here, steep(1, 0, 0));
    const Real dy = parabola_top(steep(0, -1, 0), here, steep(0, 1, 0));
    const Real dr = parabola_top(steep(0, 0, -1), here, steep(0, 0, 1));
    circle.x += dx;
    circle.y += dy;
    circle.radius += dr;
  }
}

/// The still scene under a frame: the frame's pixel (x, y) shows it at (x - shift_x, y - shift_y).
template <class Real>
struct CellBackdrop {
  const Real* value;  ///< null: nothing was subtracted
  const unsigned char* known;
  Real shift_x, shift_y;
};

/// The scene's outward derivative at a point of a circle of the frame; false if it is not known.
template <class Real>
TESSERA_BOTH bool ground_derivative(const CellBackdrop<Real>& ground, int width, int height, Real x,
                                    Real y, Real radius, Real cosine, Real sine, Real& out) {
  Real ends[2] = {};
  for (int outer = 0; outer < 2; ++outer) {
    const Real r = radius + static_cast<Real>(2 * outer - 1);
    const Real px = x - ground.shift_x + r * cosine, py = y - ground.shift_y + r * sine;
    if (!(px >= 0 && py >= 0 && px <= static_cast<Real>(width - 1) &&
          py <= static_cast<Real>(height - 1)))
      return false;
    if (!ground.known[static_cast<long long>(py) * width + static_cast<long long>(px)])
      return false;
    ends[outer] = cell_bilinear(ground.value, width, height, px, py);
  }
  out = (ends[1] - ends[0]) / 2;
  return true;
}

/// A circle in the frame itself, of which `across` and `down` are the gradients without the scene:
/// the score of both together, and the slope of the scene alone. Without a scene the frame is what
/// was searched; with fewer than half of the points known both are 0.
template <class Real>
TESSERA_BOTH CircleMeasure<Real> plain_measure(const Real* across, const Real* down,
                                               const CellBackdrop<Real>& ground, int width,
                                               int height, const CirclePoints<Real>& points, Real x,
                                               Real y, Real radius, Real floor) {
  if (!ground.value)
    return {circle_measure(across, down, width, height, points, x, y, radius, floor).score, 0};
  Real sum = 0, squares = 0, scene = 0;
  int n = 0;
  for (int i = 0; i < kCirclePoints; ++i) {
    const Real px = x + radius * points.cosine[i], py = y + radius * points.sine[i];
    Real still = 0;
    if (!(px >= 0 && py >= 0 && px <= static_cast<Real>(width - 1) &&
          py <= static_cast<Real>(height - 1)) ||
        !ground_derivative(ground, width, height, x, y, radius, points.cosine[i], points.sine[i],
                           still))
      continue;
    const Real out = cell_bilinear(across, width, height, px, py) * points.cosine[i] +
                     cell_bilinear(down, width, height, px, py) * points.sine[i] + still;
    sum += out;
    squares += out * out;
    scene += still;
    ++n;
  }
  if (2 * n < kCirclePoints) return {0, 0};
  return {circle_score(sum, squares, n, floor), scene / static_cast<Real>(n)};
}

/// The measurement of a cell in its window: where its star settled and the score of its circle
/// there, in the frame's pixels.
template <class Real>
struct OutlineMeasure {
  Real x, y, radius, score, slope;
  Real plain;      ///< score in the frame itself, nothing subtracted
  Real ground;     ///< slope of the still scene on the same circle
  int iterations;  ///< of the star
  bool outlined;   ///< the outline's radii are not doubtful
};

/// Updates the slot after a frame: it takes the measurement, or moves on as expected if the
/// measurement is of another cell.
template <class Real>
TESSERA_BOTH void take_measure(CellSlot<Real>& slot, const OutlineMeasure<Real>& found, int frame,
                               const LifeRules<Real>& rules) {
  const Real own = cell_sign(slot.slope) * found.score;
  const Real least = cell_max(static_cast<Real>(kCells.seen_score),
                              static_cast<Real>(kCells.seen_share) * slot.trust);
  const Real gain =
      cell_max(static_cast<Real>(kCells.trust_gain), 1 / static_cast<Real>(frame - slot.first));
  slot.score = found.score;
  slot.outlined = false;
  slot.trust += gain * (own - slot.trust);
  slot.plain += gain * (cell_sign(slot.slope) * found.plain - slot.plain);
  slot.ground += gain * (found.ground - slot.ground);
  const Real dx = found.x - slot.motion.x, dy = found.y - slot.motion.y, far = dx * dx + dy * dy;
  if (own < least || far > static_cast<Real>(kCells.jump * kCells.jump)) {
    ++slot.unseen;
    return;
  }
  const Real noise = static_cast<Real>(kCells.place_noise);
  const Real variance = noise * noise * 10 / (own * own * slot.radius);
  const Real gate = static_cast<Real>(kCells.gate * kCells.gate);
  if (far > gate * (slot.motion.place + variance)) {
    motion_surprise(slot.motion, far);
    ++slot.unseen;
    return;
  }
  motion_update(slot.motion, found.x, found.y, variance);
  slot.radius += static_cast<Real>(kCells.radius_gain) * (found.radius - slot.radius);
  slot.radius = cell_clamp(slot.radius, rules.radius_least, rules.radius_most);
  slot.slope += static_cast<Real>(kCells.trust_gain) * (found.slope - slot.slope);
  slot.unseen = 0;
  slot.outlined = found.outlined;
  ++slot.seen_frames;
}

}  // namespace tessera
