// SPDX-License-Identifier: Apache-2.0
// The potential in which a star settles: edges spread upwards and to the left.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/cells/classic/cells_classic.hpp"

namespace tessera {
namespace {

constexpr double kMu = 0.5, kLambda = 8 * kMu + 1, kWidth = 1e-10, kTolerance = 1e-5;
constexpr int kMostIterations = 500;

/// The first and last rows and columns are repeated.
ClassicPlane padded(const ClassicPlane& plane) {
  ClassicPlane wide(plane.width + 2, plane.height + 2);
  for (int y = 0; y < wide.height; ++y)
    for (int x = 0; x < wide.width; ++x)
      wide.at(x, y) =
          plane.at(std::clamp(x - 1, 0, plane.width - 1), std::clamp(y - 1, 0, plane.height - 1));
  return wide;
}

/// Weights between each pixel and its neighbours to the right, below, and below right. Seen from
/// the neighbour, difference and direction both change sign, so the weight is the same.
struct Weights {
  ClassicPlane right, down, across;

  explicit Weights(const ClassicPlane& f)
      : right(f.width, f.height), down(f.width, f.height), across(f.width, f.height) {
    for (int y = 0; y < f.height - 1; ++y)
      for (int x = 0; x < f.width - 1; ++x) {
        const double here = f.at(x, y);
        right.at(x, y) = classic_step(f.at(x + 1, y) - here);
        down.at(x, y) = classic_step(f.at(x, y + 1) - here);
        across.at(x, y) = classic_step((f.at(x + 1, y + 1) - here) * 2);
      }
  }
};

/// The sum over the eight neighbours: up, down, left, right, then the diagonals in the published
/// order. Those across the flow have weight one half.
double pull(const ClassicPlane& f, const Weights& w, int x, int y) {
  const double here = f.at(x, y);
  return w.down.at(x, y - 1) * (f.at(x, y - 1) - here) + w.down.at(x, y) * (f.at(x, y + 1) - here) +
         w.right.at(x - 1, y) * (f.at(x - 1, y) - here) +
         w.right.at(x, y) * (f.at(x + 1, y) - here) + 0.5 * (f.at(x + 1, y - 1) - here) +
         w.across.at(x, y) * (f.at(x + 1, y + 1) - here) +
         w.across.at(x - 1, y - 1) * (f.at(x - 1, y - 1) - here) +
         0.5 * (f.at(x - 1, y + 1) - here);
}

}  // namespace

double classic_step(double difference) { return std::atan(difference / kWidth) / kClassicPi + 0.5; }

ClassicPlane classic_normalised(ClassicPlane edges) {
  if (edges.samples.empty()) return edges;
  const auto [least, most] = std::ranges::minmax(edges.samples);
  const double range = most - least + std::numeric_limits<double>::epsilon();
  for (double& edge : edges.samples) edge = (edge - least) / range;
  return edges;
}

double classic_mgvf_iteration(const ClassicPlane& edges, ClassicPlane& potential) {
  const ClassicPlane before = padded(potential);
  const Weights weights(before);
  double change = 0;
  for (int y = 0; y < edges.height; ++y)
    for (int x = 0; x < edges.width; ++x) {
      const double old = potential.at(x, y), edge = edges.at(x, y);
      const double spread = old + kMu / kLambda * pull(before, weights, x + 1, y + 1);
      potential.at(x, y) = spread - 1 / kLambda * edge * (spread - edge);
      change += std::abs(potential.at(x, y) - old);
    }
  return change / static_cast<double>(edges.samples.size());
}

ClassicField classic_mgvf(const ClassicPlane& normalised_edges) {
  ClassicField field{normalised_edges, 0};
  double change = std::numeric_limits<double>::infinity();
  while (field.iterations < kMostIterations && change > kTolerance) {
    change = classic_mgvf_iteration(normalised_edges, field.potential);
    ++field.iterations;
  }
  return field;
}

}  // namespace tessera
