// SPDX-License-Identifier: Apache-2.0
// The tracking snake: a star of 20 radii.
#include <cmath>
#include <limits>
#include <numeric>

#include "ops/cells/classic/cells_classic.hpp"

namespace tessera {
namespace {

constexpr std::size_t kCount = kClassicSnaxels;
constexpr double kStep = 0.2, kSize = 0.2, kPath = 0.05, kSettled = 0.1;
constexpr int kMostStarSteps = 1000;

using Snaxels = std::array<double, kCount>;

double sum(const Snaxels& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// Unit length, and 0 / 0 where the potential is flat.
ClassicGradient unit_gradient(const ClassicPlane& potential) {
  ClassicGradient gradient = classic_gradient(potential);
  for (std::size_t k = 0; k < potential.samples.size(); ++k) {
    double &x = gradient.x.samples[k], &y = gradient.y.samples[k];
    const double length = std::sqrt(x * x + y * y);
    x /= length;
    y /= length;
  }
  return gradient;
}

struct Outline {
  Snaxels x, y;

  explicit Outline(const ClassicStar& star) {
    const auto& direction = classic_directions<kCount>();
    for (std::size_t j = 0; j < kCount; ++j) {
      x[j] = star.x + star.radii[j] * direction.x[j];
      y[j] = star.y + star.radii[j] * direction.y[j];
    }
  }
  bool leaves(int width, int height) const {
    for (std::size_t j = 0; j < kCount; ++j)
      if (x[j] < 0 || x[j] > width - 1 || y[j] < 0 || y[j] > height - 1) return true;
    return false;
  }
  double length() const {
    double total = 0;
    for (std::size_t j = 0; j < kCount; ++j) {
      const std::size_t before = (j + kCount - 1) % kCount;
      const double dx = x[j] - x[before], dy = y[j] - y[before];
      total += std::sqrt(dx * dx + dy * dy);
    }
    return total;
  }
};

/// One iteration; returns the sum of all movements.
double move(const ClassicPlane& potential, const ClassicGradient& unit, double expected_y,
            const Outline& at, ClassicStar& star) {
  Snaxels f{}, fx{}, fy{};
  for (std::size_t j = 0; j < kCount; ++j) {
    f[j] = classic_bilinear(potential, at.x[j], at.y[j]);
    fx[j] = classic_bilinear(unit.x, at.x[j], at.y[j]);
    fy[j] = classic_bilinear(unit.y, at.x[j], at.y[j]);
  }
  const ClassicStar old = star;
  const double length = at.length(), level = sum(f) / length;
  star.x = old.x + kStep * sum(fx) / length;
  star.y = (old.y + kStep * sum(fy) / length + kStep * kPath * expected_y) / (1 + kStep * kPath);
  double moved = std::abs(star.x - old.x) + std::abs(star.y - old.y);
  for (std::size_t j = 0; j < kCount; ++j) {
    const double gain =
        (f[j] + fx[j] * (at.x[j] - old.x) + fy[j] * (at.y[j] - old.y) - level) / length;
    star.radii[j] =
        (old.radii[j] + kStep * gain + kStep * kSize * kClassicRadius) / (1 + kStep * kSize);
    moved += std::abs(star.radii[j] - old.radii[j]);
  }
  return moved;
}

}  // namespace

int classic_settle(const ClassicPlane& potential, double expected_y, ClassicStar& star) {
  const ClassicGradient unit = unit_gradient(potential);
  double moved = std::numeric_limits<double>::infinity();
  int iterations = 0;
  for (; iterations < kMostStarSteps && moved > kSettled; ++iterations) {
    const Outline outline(star);
    if (outline.leaves(potential.width, potential.height)) break;
    moved = move(potential, unit, expected_y, outline, star);
  }
  return iterations;
}

}  // namespace tessera
