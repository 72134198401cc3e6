// SPDX-License-Identifier: Apache-2.0
/// A cell in one frame: where the star settles in the window around the expected position.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "ops/cells/cells_parts.hpp"
#include "ops/cells/follow/cells_shape.cuh"
#include "ops/cells/life/cells_life.cuh"

namespace tessera {

/// Memory for one window.
template <class Real>
struct OutlineWindow {
  CellWindow at;
  std::vector<Real> across, down, edge, field, field_across, field_down;
};

/// The window's gradients without the outlines of the other cells.
template <class Real>
void cut_window(const CellGradients<Real>& frame, const std::vector<CellSlot<Real>>& slots,
                size_t own, OutlineWindow<Real>& window) {
  const CellMotion<Real>& m = slots[own].motion;
  window.at = cell_window(m.x, m.y, frame.width, frame.height);
  const CellWindow& w = window.at;
  const auto area = static_cast<size_t>(w.width * w.height);
  window.across.resize(area);
  window.down.resize(area);
  for (int y = 0; y < w.height; ++y)
    for (int x = 0; x < w.width; ++x) {
      const auto from = static_cast<size_t>((w.y + y) * frame.width + w.x + x);
      window.across[static_cast<size_t>(y * w.width + x)] = frame.across[from];
      window.down[static_cast<size_t>(y * w.width + x)] = frame.down[from];
    }
  for (size_t i = 0; i < slots.size(); ++i) {
    const CellSlot<Real>& other = slots[i];
    if (i == own || !ring_counts(other, slots[own])) continue;
    const CellRing<Real> ring = ring_of(other);
    for (int y = 0; y < w.height; ++y)
      for (int x = 0; x < w.width; ++x)
        ring_subtract(ring, static_cast<Real>(w.x + x), static_cast<Real>(w.y + y),
                      window.across[static_cast<size_t>(y * w.width + x)],
                      window.down[static_cast<size_t>(y * w.width + x)]);
  }
}

/// Edges of the cell's own polarity, from 0 to 1, as seen from the expected position (in the
/// window's pixels).
template <class Real>
void own_edges(Real x, Real y, Real radius, Real sign, OutlineWindow<Real>& window) {
  const CellWindow& w = window.at;
  window.edge.resize(window.across.size());
  Real most = 0;
  for (int j = 0; j < w.height; ++j)
    for (int i = 0; i < w.width; ++i) {
      const auto p = static_cast<size_t>(j * w.width + i);
      window.edge[p] = own_edge(window.across[p], window.down[p], static_cast<Real>(i) - x,
                                static_cast<Real>(j) - y, sign, radius);
      most = cell_max(most, window.edge[p]);
    }
  if (most > 0)
    for (Real& edge : window.edge) edge /= most;
}

/// The field's gradients, normalised to length 1.
template <class Real>
void field_directions(OutlineWindow<Real>& window) {
  const int width = window.at.width, height = window.at.height;
  window.field_across.resize(window.field.size());
  window.field_down.resize(window.field.size());
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const auto at = [&](int i, int j) {
        return window.field[static_cast<size_t>(j * width + i)];
      };
      const int left = cell_max(x - 1, 0), right = cell_min(x + 1, width - 1);
      const int top = cell_max(y - 1, 0), bottom = cell_min(y + 1, height - 1);
      const Real gx = (at(right, y) - at(left, y)) / static_cast<Real>(cell_max(right - left, 1));
      const Real gy = (at(x, bottom) - at(x, top)) / static_cast<Real>(cell_max(bottom - top, 1));
      const Real length = cell_sqrt(gx * gx + gy * gy);
      const auto p = static_cast<size_t>(y * width + x);
      window.field_across[p] = length > 0 ? gx / length : Real(0);
      window.field_down[p] = length > 0 ? gy / length : Real(0);
    }
}

template <class Real>
struct OutlineTables {
  StarDirections<Real> star;
  CirclePoints<Real> circle;
};
template <class Real>
OutlineTables<Real> outline_tables() {
  OutlineTables<Real> tables;
  const double turn = 2 * std::numbers::pi;
  for (int j = 0; j < kSnaxels; ++j) {
    tables.star.cosine[j] = static_cast<Real>(std::cos(turn * j / kSnaxels));
    tables.star.sine[j] = static_cast<Real>(std::sin(turn * j / kSnaxels));
  }
  for (int i = 0; i < kCirclePoints; ++i) {
    tables.circle.cosine[i] = static_cast<Real>(std::cos(turn * i / kCirclePoints));
    tables.circle.sine[i] = static_cast<Real>(std::sin(turn * i / kCirclePoints));
  }
  return tables;
}

/// Moves (x, y), in the window's pixels, to the position at which the cell's circle has the
/// steepest outline.
template <class Real>
void search_circle(const OutlineWindow<Real>& window, const OutlineTables<Real>& tables,
                   Real radius, Real sign, int reach, Real& x, Real& y) {
  const CellWindow& w = window.at;
  Real best = 0, best_x = x, best_y = y;
  for (int j = -reach; j <= reach; ++j)
    for (int i = -reach; i <= reach; ++i) {
      const Real cx = x + static_cast<Real>(i), cy = y + static_cast<Real>(j);
      const Real slope = sign * circle_measure(window.across.data(), window.down.data(), w.width,
                                               w.height, tables.circle, cx, cy, radius, Real(0))
                                    .slope;
      if (!(slope > best)) continue;
      best = slope;
      best_x = cx;
      best_y = cy;
    }
  x = best_x;
  y = best_y;
}

/// The outline around a place of the window; false if it is doubtful.
template <class Real>
bool outline_around(const OutlineWindow<Real>& window, const OutlineTables<Real>& tables, Real sign,
                    Real x, Real y, Real radius, float* radii) {
  const CellWindow& w = window.at;
  CellShape<Real> shape{{radius}};
  shape_climb(window.across.data(), window.down.data(), w.width, w.height, tables.circle, sign, x,
              y, shape);
  bool clear = true;
  for (int j = 0; j < kSnaxels; ++j) {
    const Real reach = shape_outline(shape, tables.star, j);
    clear = clear && outline_is_clear(reach, radius, x + reach * tables.star.cosine[j],
                                      y + reach * tables.star.sine[j], w.width, w.height);
    radii[j] = static_cast<float>(reach);
  }
  return clear;
}

/// Where the cell of slot `own` is; its motion holds the position expected in this frame. `radii`
/// takes its outline.
template <class Real>
OutlineMeasure<Real> measure_outline(const CellGradients<Real>& frame,
                                     const std::vector<CellSlot<Real>>& slots, size_t own,
                                     const CellsParts<Real>& parts,
                                     const OutlineTables<Real>& tables, OutlineWindow<Real>& window,
                                     float* radii) {
  const CellSlot<Real>& slot = slots[own];
  cut_window(frame, slots, own, window);
  const CellWindow& w = window.at;
  Real x = slot.motion.x - static_cast<Real>(w.x), y = slot.motion.y - static_cast<Real>(w.y);
  const Real sign = cell_sign(slot.slope);
  const Real sigma = cell_sqrt(slot.motion.place);
  if (sigma > static_cast<Real>(kCells.search_sigma)) {
    const int reach = cell_min(kCells.search, cell_round(2 * sigma) + 1);
    search_circle(window, tables, slot.radius, sign, reach, x, y);
  }
  own_edges(x, y, slot.radius, sign, window);
  window.field.resize(window.edge.size());
  parts.mgvf(window.edge.data(), w.width, w.height, window.field.data());
  field_directions(window);
  StarSnake<Real> star{x, y, {}};
  for (Real& radius : star.radii) radius = slot.radius;
  OutlineMeasure<Real> found{};
  found.iterations = star_settle(star,
                                 StarField<Real>{window.field.data(), window.field_across.data(),
                                                 window.field_down.data(), w.width, w.height},
                                 tables.star, StarPrior<Real>{x, y, slot.radius});
  CirclePlace<Real> place{star.x, star.y, slot.radius};
  circle_climb(window.across.data(), window.down.data(), w.width, w.height, tables.circle, sign,
               place);
  const CircleMeasure<Real> circle =
      circle_measure(window.across.data(), window.down.data(), w.width, w.height, tables.circle,
                     place.x, place.y, slot.radius, frame.floor);
  found.x = place.x + static_cast<Real>(w.x);
  found.y = place.y + static_cast<Real>(w.y);
  found.radius = place.radius;
  found.score = circle.score;
  found.slope = circle.slope;
  found.outlined = outline_around(window, tables, sign, place.x, place.y, slot.radius, radii);
  const CircleMeasure<Real> plain =
      plain_measure(frame.across, frame.down, frame.ground, frame.width, frame.height,
                    tables.circle, found.x, found.y, slot.radius, frame.floor);
  found.plain = plain.score;
  found.ground = plain.slope;
  return found;
}

}  // namespace tessera
