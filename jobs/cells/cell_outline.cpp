// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cell_outline.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace tessera {

std::array<PolygonPoint, kCellDirections> outline_of(const CellSpot& spot) {
  std::array<PolygonPoint, kCellDirections> corners;
  for (std::size_t j = 0; j < corners.size(); ++j) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(j) / kCellDirections;
    corners[j] = {spot.outline[j] * std::cos(angle), spot.outline[j] * std::sin(angle)};
  }
  return corners;
}

PolygonShape shape_of(const CellSpot& spot) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  return spot.has_outline() ? shape_of(outline_of(spot)) : PolygonShape{kNone, kNone, kNone};
}

}  // namespace tessera
