// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ops/cells/classic/cells_classic.hpp"

namespace tessera {
namespace {

constexpr std::size_t kRemembered = 10;

double mean_radius(const ClassicStar& star) {
  return std::accumulate(star.radii.begin(), star.radii.end(), 0.0) / kClassicSnaxels;
}

double expected_y(const std::vector<ClassicSpot>& path) {
  const std::size_t count = std::min(path.size(), kRemembered);
  double sum = 0;
  for (std::size_t k = path.size() - count; k < path.size(); ++k) sum += path[k].y;
  return sum / static_cast<double>(count);
}

int clamped(double position, int count) {
  return static_cast<int>(std::clamp(position, 0.0, std::max(0.0, count - 1.0)));
}

ClassicPlane edge_strength(const AnyView& frame, int film, const CellsCrop& window) {
  ClassicPlane image = classic_plane(frame, film, window);
  for (double& level : image.samples) level /= 255;
  const ClassicGradient gradient = classic_gradient(image);
  for (std::size_t k = 0; k < image.samples.size(); ++k) {
    const double x = gradient.x.samples[k], y = gradient.y.samples[k];
    image.samples[k] = std::sqrt(x * x + y * y);
  }
  return image;
}

}  // namespace

ClassicCell classic_cell(const CellDetection& found) {
  ClassicCell cell{found, {found.x, found.y, {}}, {}};
  cell.star.radii.fill(kClassicRadius);
  cell.path.push_back({found.x, found.y, mean_radius(cell.star), 0, 0});
  return cell;
}

CellsCrop classic_window(const Size& frame, double x, double y) {
  // Half sizes 40 and 20. Rows are shifted by one, as arrays that count from 1 would need.
  const int left = clamped(x - 40 + 0.5, frame.width), right = clamped(x + 40 + 0.5, frame.width);
  const int top = clamped(y - 20 + 1.5, frame.height), bottom = clamped(y + 20 + 1.5, frame.height);
  return {left, top, right - left + 1, bottom - top + 1};
}

void classic_follow(ClassicCell& cell, const AnyView& frame, int film) {
  ClassicStar& star = cell.star;
  ClassicSpot spot{star.x, star.y, mean_radius(star), 0, 0};
  if (std::isfinite(star.x) && std::isfinite(star.y)) {
    const CellsCrop window = classic_window(frame.size, star.x, star.y);
    const ClassicField field = classic_mgvf(classic_normalised(edge_strength(frame, film, window)));
    // The first row of a window that counts from 0 is window.y: row positions are 1 too small.
    const double left = window.x, top = window.y - 1;
    star.x -= left;
    star.y -= top;
    const int iterations = classic_settle(field.potential, expected_y(cell.path) - top, star);
    star.x += left;
    star.y += top;
    spot = {star.x, star.y, mean_radius(star), field.iterations, iterations};
    if (std::ranges::all_of(star.radii, [](double radius) { return radius > 0; }))
      std::ranges::transform(star.radii, spot.radii.begin(),
                             [](double radius) { return static_cast<float>(radius); });
  }
  cell.path.push_back(spot);
}

}  // namespace tessera
