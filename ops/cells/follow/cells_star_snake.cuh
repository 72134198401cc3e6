// SPDX-License-Identifier: Apache-2.0
// The tracking snake: a star of 20 radii around a centre that settles on a field's ridge.
#pragma once

#include "ops/cells/cells_model.cuh"

namespace tessera {

template <class Real>
struct StarDirections {
  Real cosine[kSnaxels], sine[kSnaxels];
};

template <class Real>
struct StarSnake {
  Real x, y;  ///< in the window's pixels
  Real radii[kSnaxels];
};

/// The pull on the snake: the field and its normalised gradient (0 where it is flat), each `width`
/// by `height`.
template <class Real>
struct StarField {
  const Real *value, *across, *down;
  int width, height;
};

/// The prior of the snake: where the cell is expected, and how large it was.
template <class Real>
struct StarPrior {
  Real x, y, radius;
};

/// The field under a snaxel, and the snaxel's offset from the centre.
template <class Real>
struct Snaxel {
  Real dx, dy, value, across, down;
};

template <class Real>
TESSERA_BOTH Snaxel<Real> snaxel_of(const StarField<Real>& field, const StarSnake<Real>& star,
                                    const StarDirections<Real>& directions, int j) {
  Snaxel<Real> s;
  s.dx = star.radii[j] * directions.cosine[j];
  s.dy = star.radii[j] * directions.sine[j];
  const Real x = cell_clamp(star.x + s.dx, Real(0), static_cast<Real>(field.width - 1));
  const Real y = cell_clamp(star.y + s.dy, Real(0), static_cast<Real>(field.height - 1));
  s.value = cell_bilinear(field.value, field.width, field.height, x, y);
  s.across = cell_bilinear(field.across, field.width, field.height, x, y);
  s.down = cell_bilinear(field.down, field.width, field.height, x, y);
  return s;
}

/// Sums over the snaxels, in order.
template <class Real>
struct StarSums {
  Real length, value, across, down;
};

/// The centre moves with the mean pull and towards the expected position.
template <class Real>
TESSERA_BOTH constexpr Real star_centre(Real centre, Real pull, Real length, Real expected) {
  return (centre + Real(0.2) * pull / length + Real(0.01) * expected) / Real(1.01);
}

/// A radius grows or shrinks towards the ridge and towards the cell's own radius.
template <class Real>
TESSERA_BOTH constexpr Real star_radius(Real radius, const Snaxel<Real>& s,
                                        const StarSums<Real>& sums, Real own) {
  const Real force =
      (s.value + s.across * s.dx + s.down * s.dy - sums.value / sums.length) / sums.length;
  return (radius + Real(0.2) * force + Real(0.04) * own) / Real(1.04);
}

/// One iteration by one thread; returns the movement of the centre, |dx| + |dy|.
template <class Real>
TESSERA_BOTH Real star_iterate(StarSnake<Real>& star, const StarField<Real>& field,
                               const StarDirections<Real>& directions,
                               const StarPrior<Real>& prior) {
  Snaxel<Real> snaxels[kSnaxels];
  for (int j = 0; j < kSnaxels; ++j) snaxels[j] = snaxel_of(field, star, directions, j);
  StarSums<Real> sums{0, 0, 0, 0};
  for (int j = 0; j < kSnaxels; ++j) {
    const Snaxel<Real>&s = snaxels[j], &next = snaxels[j + 1 < kSnaxels ? j + 1 : 0];
    const Real dx = next.dx - s.dx, dy = next.dy - s.dy;
    sums.length += cell_sqrt(dx * dx + dy * dy);
    sums.value += s.value;
    sums.across += s.across;
    sums.down += s.down;
  }
  const Real x = star_centre(star.x, sums.across, sums.length, prior.x);
  const Real y = star_centre(star.y, sums.down, sums.length, prior.y);
  for (int j = 0; j < kSnaxels; ++j)
    star.radii[j] = star_radius(star.radii[j], snaxels[j], sums, prior.radius);
  const Real moved = cell_abs(x - star.x) + cell_abs(y - star.y);
  star.x = x;
  star.y = y;
  return moved;
}

/// Iterates until the centre has settled; returns the number of iterations.
template <class Real>
TESSERA_BOTH int star_settle(StarSnake<Real>& star, const StarField<Real>& field,
                             const StarDirections<Real>& directions, const StarPrior<Real>& prior) {
  for (int i = 1; i <= kCells.snake_iterations; ++i)
    if (star_iterate(star, field, directions, prior) <= static_cast<Real>(kCells.snake_stop))
      return i;
  return kCells.snake_iterations;
}

}  // namespace tessera
