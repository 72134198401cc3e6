// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "ops/cells/classic/cells_classic.hpp"

namespace tessera {
namespace {

constexpr int kDiskRadius = 12;
/// Contours keep this far from the frame's edges.
constexpr double kClear = 5;

double square(double value) { return value * value; }

/// Whether grey dilation with the disk would leave this pixel unchanged.
bool is_largest(const ClassicPlane& gicov, int x, int y) {
  const double here = square(gicov.at(x, y));
  return std::ranges::none_of(classic_disk(), [&](const std::array<int, 2>& offset) {
    const int column = x + offset[0], row = y + offset[1];
    return column >= 0 && column < gicov.width && row >= 0 && row < gicov.height &&
           square(gicov.at(column, row)) > here;
  });
}

/// In the published program the upper bound, 257 of 219 rows, rejects nothing.
bool row_is_kept(int row, int height) { return row > 29 && row < height - 1 + 39; }

ClassicContour with_uniform_points(const ClassicContour& contour) {
  ClassicContour uniform{};
  const auto points = classic_uniform_points(contour);
  for (std::size_t i = 0; i < points.size(); ++i) {
    uniform.x[i] = contour.x[static_cast<std::size_t>(points[i])];
    uniform.y[i] = contour.y[static_cast<std::size_t>(points[i])];
  }
  return uniform;
}

/// Rows of a crop, 40 too small, are compared with the edges of the frame: as published.
bool is_clear(const ClassicContour& contour, const Size& frame) {
  const auto [left, right] = std::ranges::minmax(contour.x);
  const auto [top, bottom] = std::ranges::minmax(contour.y);
  return left > kClear && top > kClear && right < frame.width - kClear &&
         bottom < frame.height - kClear;
}

}  // namespace

const std::vector<std::array<int, 2>>& classic_disk() {
  static const auto made = [] {
    std::vector<std::array<int, 2>> disk;
    for (int y = -kDiskRadius; y <= kDiskRadius; ++y)
      for (int x = -kDiskRadius; x <= kDiskRadius; ++x)
        if (x * x + y * y <= kDiskRadius * kDiskRadius) disk.push_back({x, y});
    return disk;
  }();
  return made;
}

ClassicContour classic_circle_contour(double x, double y) {
  ClassicContour contour{};
  for (std::size_t i = 0; i < kClassicContour; ++i) {
    const double angle = static_cast<double>(i) * 2 * kClassicPi / kClassicContour;
    contour.x[i] = x + kClassicRadius * std::cos(angle);
    contour.y[i] = y + kClassicRadius * std::sin(angle);
  }
  return contour;
}

std::array<int, kClassicContour> classic_uniform_points(const ClassicContour& contour) {
  std::array<double, kClassicContour> length{};  // from the last point to each
  double total = 0;
  for (std::size_t i = 0; i < kClassicContour; ++i) {
    const std::size_t before = (i + kClassicContour - 1) % kClassicContour;
    const double dx = contour.x[i] - contour.x[before], dy = contour.y[i] - contour.y[before];
    total += std::sqrt(dx * dx + dy * dy);
    length[i] = total;
  }
  std::array<int, kClassicContour> nearest{};
  for (std::size_t i = 0; i < kClassicContour; ++i) {
    const double target = static_cast<double>(i) * total / kClassicContour;
    const auto found = std::ranges::min_element(
        length, {}, [target](double value) { return std::abs(value - target); });
    nearest[i] = static_cast<int>(found - length.begin());
  }
  return nearest;
}

std::vector<ClassicCandidate> classic_candidates(const ClassicPlane& gicov, const Size& frame) {
  std::vector<ClassicCandidate> kept;
  for (int y = 0; y < gicov.height; ++y)
    for (int x = 0; x < gicov.width; ++x) {
      const double score = gicov.at(x, y);
      // Cheap tests first: all must pass, so the order does not matter.
      if (!(std::abs(score) > kClassicThreshold) || !row_is_kept(y, gicov.height)) continue;
      if (!is_largest(gicov, x, y)) continue;
      const ClassicContour contour =
          with_uniform_points(classic_circle_contour(x, y - kClassicPadding));
      if (is_clear(contour, frame)) kept.push_back({x, y, score, contour});
    }
  return kept;
}

}  // namespace tessera
