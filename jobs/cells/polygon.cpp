// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/polygon.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera {
namespace {

/// Calls side(a, b) for every side.
template <class Side>
void for_each_side(std::span<const PolygonPoint> corners, Side side) {
  for (std::size_t k = 0; k < corners.size(); ++k)
    side(corners[k], corners[k + 1 < corners.size() ? k + 1 : 0]);
}

/// Where a side crosses a row, if it does.
struct RowCrossing {
  bool crosses = false;
  double x = 0;

  RowCrossing(PolygonPoint a, PolygonPoint b, double y) : crosses((a.y > y) != (b.y > y)) {
    if (crosses) x = a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x);
  }
};

/// Sums of the triangles that the sides make with (0, 0). Relative to a point near the polygon:
/// far from it, the differences of large sums would round.
struct PolygonMoments {
  double area = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;

  void add(PolygonPoint a, PolygonPoint b) {
    const double twice = a.x * b.y - b.x * a.y;
    area += twice / 2;
    x += twice * (a.x + b.x) / 6;
    y += twice * (a.y + b.y) / 6;
    xx += twice * (a.x * a.x + a.x * b.x + b.x * b.x) / 12;
    yy += twice * (a.y * a.y + a.y * b.y + b.y * b.y) / 12;
    xy += twice * (a.x * b.y + 2 * a.x * a.y + 2 * b.x * b.y + b.x * a.y) / 24;
  }
  /// An ellipse with half axes a and b has the variances a^2 / 4 and b^2 / 4 along them.
  double elongation() const {
    const double mean_x = x / area, mean_y = y / area;
    const double across = xx / area - mean_x * mean_x, down = yy / area - mean_y * mean_y;
    const double both = xy / area - mean_x * mean_y;
    const double middle = (across + down) / 2, apart = std::hypot((across - down) / 2, both);
    return middle > apart ? std::sqrt((middle + apart) / (middle - apart))
                          : std::numeric_limits<double>::quiet_NaN();
  }
};

}  // namespace

PolygonShape shape_of(std::span<const PolygonPoint> corners) {
  PolygonShape shape;
  if (corners.empty()) return {0, 0, std::numeric_limits<double>::quiet_NaN()};
  const PolygonPoint from = corners.front();
  PolygonMoments moments;
  for_each_side(corners, [&](PolygonPoint a, PolygonPoint b) {
    shape.perimeter += std::hypot(b.x - a.x, b.y - a.y);
    moments.add({a.x - from.x, a.y - from.y}, {b.x - from.x, b.y - from.y});
  });
  shape.area = std::abs(moments.area);
  shape.elongation = moments.elongation();
  return shape;
}

bool is_inside(std::span<const PolygonPoint> corners, double x, double y) {
  bool inside = false;
  for_each_side(corners, [&](PolygonPoint a, PolygonPoint b) {
    const RowCrossing row(a, b, y);
    if (row.crosses && row.x < x) inside = !inside;
  });
  return inside;
}

void for_each_span(std::span<const PolygonPoint> corners, const Size& frame,
                   const std::function<void(int y, int first, int last)>& span) {
  double top = frame.height, bottom = -1;
  for (const PolygonPoint corner : corners) {
    top = std::min(top, corner.y);
    bottom = std::max(bottom, corner.y);
  }
  const auto first_row = static_cast<int>(std::max(std::floor(top), 0.0));
  const auto last_row = static_cast<int>(std::min(std::ceil(bottom), frame.height - 1.0));
  std::vector<double> crossings;
  for (int y = first_row; y <= last_row; ++y) {
    crossings.clear();
    for_each_side(corners, [&](PolygonPoint a, PolygonPoint b) {
      const RowCrossing row(a, b, y);
      if (row.crosses) crossings.push_back(row.x);
    });
    std::ranges::sort(crossings);
    for (std::size_t k = 0; k + 1 < crossings.size(); k += 2) {
      // A pixel is inside if it is right of the first crossing, and not of the second.
      const double first = std::max(std::floor(crossings[k]) + 1, 0.0);
      const double last = std::min(std::floor(crossings[k + 1]), frame.width - 1.0);
      if (first <= last) span(y, static_cast<int>(first), static_cast<int>(last));
    }
  }
}

}  // namespace tessera
