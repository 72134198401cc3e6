// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "ops/cells/study/plain_cells.hpp"

namespace tessera {
namespace {

constexpr double kStarRadius = 10;  // of a cell, in pixels
constexpr int kReachX = 40, kReachY = 20;
constexpr int kMostSteps = 1000;
constexpr double kSettled = 0.1;

/// Four taps; beyond the last row and column the last one is taken.
double bilinear(const double* map, const StudyWindow& w, double x, double y) {
  const int left = static_cast<int>(x), top = static_cast<int>(y);
  const int right = std::min(left + 1, w.width - 1), bottom = std::min(top + 1, w.height - 1);
  const double a = x - left, b = y - top;
  return (1 - a) * (1 - b) * map[top * w.width + left] + a * (1 - b) * map[top * w.width + right] +
         (1 - a) * b * map[bottom * w.width + left] + a * b * map[bottom * w.width + right];
}

struct Star {
  double x[kStarPoints], y[kStarPoints];
  bool inside = true;
  double length = 0;
};

Star star_of(const StarCell& cell, const StudyWindow& w) {
  Star star;
  for (int j = 0; j < kStarPoints; ++j) {
    const double angle = j * 2 * kPublishedPi / kStarPoints;
    star.x[j] = cell.x + cell.radii[j] * std::cos(angle);
    star.y[j] = cell.y + cell.radii[j] * std::sin(angle);
    star.inside = star.inside && star.x[j] >= 0 && star.x[j] <= w.width - 1 && star.y[j] >= 0 &&
                  star.y[j] <= w.height - 1;
  }
  for (int j = 0; j < kStarPoints; ++j) {
    const int next = (j + 1) % kStarPoints;
    star.length += std::hypot(star.x[next] - star.x[j], star.y[next] - star.y[j]);
  }
  return star;
}

/// The field and the direction it rises in.
struct Slopes {
  const double* field;
  std::vector<double> x, y;
};

Slopes slopes_of(const double* field, const StudyWindow& w) {
  const std::size_t samples = static_cast<std::size_t>(w.width) * w.height;
  Slopes slopes{field, std::vector<double>(samples), std::vector<double>(samples)};
  plain_gradient(field, w.width, w.height, slopes.x.data(), slopes.y.data());
  for (std::size_t k = 0; k < samples; ++k) {
    const double steep = std::hypot(slopes.x[k], slopes.y[k]);
    slopes.x[k] /= steep;
    slopes.y[k] /= steep;
  }
  return slopes;
}

/// One step; returns the sum of the movements of centre and radii.
double settle(const Slopes& slopes, const StudyWindow& w, const Star& star, StarCell& cell) {
  double a[kStarPoints], b[kStarPoints], c[kStarPoints], sum_a = 0, sum_b = 0, sum_c = 0;
  for (int j = 0; j < kStarPoints; ++j) {
    sum_a += a[j] = bilinear(slopes.field, w, star.x[j], star.y[j]);
    sum_b += b[j] = bilinear(slopes.x.data(), w, star.x[j], star.y[j]);
    sum_c += c[j] = bilinear(slopes.y.data(), w, star.x[j], star.y[j]);
  }
  const StarCell before = cell;
  cell.x += 0.2 * sum_b / star.length;
  cell.y = (cell.y + 0.2 * sum_c / star.length + 0.01 * cell.expected_y) / 1.01;
  double moved = std::abs(cell.x - before.x) + std::abs(cell.y - before.y);
  for (int j = 0; j < kStarPoints; ++j) {
    const double pull = (a[j] + b[j] * (star.x[j] - before.x) + c[j] * (star.y[j] - before.y) -
                         sum_a / star.length) /
                        star.length;
    cell.radii[j] = (before.radii[j] + 0.2 * pull + 0.04 * kStarRadius) / 1.04;
    moved += std::abs(cell.radii[j] - before.radii[j]);
  }
  return moved;
}

}  // namespace

StudyWindow window_of(const StarCell& cell, int frame_width, int frame_height) {
  const int left = static_cast<int>(std::max(cell.x - kReachX + 0.5, 0.0));
  const int right = static_cast<int>(std::min(cell.x + kReachX + 0.5, frame_width - 1.0));
  const int top = static_cast<int>(std::max(cell.y - kReachY + 1.5, 0.0));
  const int bottom = static_cast<int>(std::min(cell.y + kReachY + 1.5, frame_height - 1.0));
  return {left, top, right - left + 1, bottom - top + 1};
}

void plain_edges(const double* frame, int frame_width, const StudyWindow& w, double* edges) {
  const int samples = w.width * w.height;
  std::vector<double> part(samples), along_x(samples), along_y(samples);
  for (int y = 0; y < w.height; ++y)
    std::copy_n(frame + (w.top + y) * frame_width + w.left, w.width, part.data() + y * w.width);
  plain_gradient(part.data(), w.width, w.height, along_x.data(), along_y.data());
  for (int k = 0; k < samples; ++k)
    edges[k] = std::sqrt(along_x[k] * along_x[k] + along_y[k] * along_y[k]);
  const auto [least, most] = std::minmax_element(edges, edges + samples);
  const double low = *least, range = *most - *least + 0x1p-52;
  for (int k = 0; k < samples; ++k) edges[k] = (edges[k] - low) / range;
}

// The window's first row is counted as 1 here: a slip of the published program.
int plain_star(const double* field, const StudyWindow& w, StarCell& cell) {
  const Slopes slopes = slopes_of(field, w);
  const double left = w.left, top = w.top - 1;
  cell.x -= left, cell.y -= top, cell.expected_y -= top;
  int steps = 0;
  for (double moved = 2 * kSettled; steps < kMostSteps && moved > kSettled; ++steps) {
    const Star star = star_of(cell, w);
    if (!star.inside) break;
    moved = settle(slopes, w, star, cell);
  }
  cell.x += left, cell.y += top, cell.expected_y += top;
  return steps;
}

}  // namespace tessera
