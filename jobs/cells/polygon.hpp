// SPDX-License-Identifier: Apache-2.0
/// Polygons in a frame: what lies inside, and their shape. The last corner is joined to the first.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "tessera/view.hpp"

namespace tessera {

struct PolygonPoint {
  double x = 0, y = 0;
};
using Polygon = std::vector<PolygonPoint>;

struct PolygonShape {
  double area = 0, perimeter = 0;
  /// Ratio of the axes of the ellipse with the same second moments, 1 or more; NaN: no area.
  double elongation = 0;
};
/// For a polygon that does not cross itself.
PolygonShape shape_of(std::span<const PolygonPoint> corners);

/// By the even-odd rule: whether a line from the point to the far left crosses an odd number of
/// sides. If two polygons share a side, one of them has the points on it.
bool is_inside(std::span<const PolygonPoint> corners, double x, double y);

/// Calls span(y, first, last) for all pixels of a frame whose centres are inside, row by row.
void for_each_span(std::span<const PolygonPoint> corners, const Size& frame,
                   const std::function<void(int y, int first, int last)>& span);

}  // namespace tessera
