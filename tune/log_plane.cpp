// SPDX-License-Identifier: Apache-2.0
#include "tune/log_plane.hpp"

#include <algorithm>
#include <cmath>

namespace tessera {
namespace {

// Enough to even out the noise of single times, few enough to follow jumps between tile sizes.
constexpr std::size_t kNeighbours = 8;

/// Solves the normal equations m x = b, m symmetric and made positive by its diagonal.
std::vector<double> solved(std::vector<std::vector<double>> m, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = m[i][k] / m[k][k];
      for (std::size_t j = k; j < n; ++j) m[i][j] -= factor * m[k][j];
      b[i] -= factor * b[k];
    }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= m[k][j] * b[j];
    b[k] /= m[k][k];
  }
  return b;
}

struct Centre {
  std::vector<double> place;
  double value = 0;
};

Centre weighted_centre(const std::vector<LogNode>& nodes, const std::vector<double>& weights,
                       std::size_t dimensions) {
  Centre centre{std::vector<double>(dimensions, 0.0)};
  double all = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    all += weights[i];
    centre.value += weights[i] * nodes[i].value;
    for (std::size_t d = 0; d < dimensions; ++d) centre.place[d] += weights[i] * nodes[i].place[d];
  }
  centre.value /= all;
  for (double& x : centre.place) x /= all;
  return centre;
}

std::vector<double> fitted_slopes(const std::vector<LogNode>& nodes,
                                  const std::vector<double>& weights, const Centre& centre) {
  const std::size_t n = centre.place.size();
  std::vector<std::vector<double>> m(n, std::vector<double>(n, 0.0));
  std::vector<double> b(n, 0.0);
  for (std::size_t k = 0; k < nodes.size(); ++k)
    for (std::size_t i = 0; i < n; ++i) {
      const double x = weights[k] * (nodes[k].place[i] - centre.place[i]);
      b[i] += x * (nodes[k].value - centre.value);
      for (std::size_t j = 0; j < n; ++j) m[i][j] += x * (nodes[k].place[j] - centre.place[j]);
    }
  // If the neighbours lie on a line, the plane is flat across it.
  double all = 0;
  for (const double weight : weights) all += weight;
  for (std::size_t i = 0; i < n; ++i) m[i][i] += 1e-6 * all;
  std::vector<double> slopes = solved(m, b);
  for (double& slope : slopes) slope = std::clamp(slope, 0.0, 1.0);
  return slopes;
}

}  // namespace

double value_on_plane(std::vector<LogNode> nodes, const std::vector<double>& at) {
  const std::size_t count = std::min(kNeighbours, nodes.size());
  // Stable: the last of several nodes at one position counts, so they are reversed first.
  std::reverse(nodes.begin(), nodes.end());
  std::stable_sort(nodes.begin(), nodes.end(),
                   [](const LogNode& a, const LogNode& b) { return a.distance < b.distance; });
  if (nodes[0].distance == 0) return nodes[0].value;
  nodes.resize(count);
  std::vector<double> weights;
  for (const LogNode& node : nodes) weights.push_back(1 / (node.distance * node.distance));
  const Centre centre = weighted_centre(nodes, weights, at.size());
  const std::vector<double> slopes = fitted_slopes(nodes, weights, centre);
  double value = centre.value;
  for (std::size_t d = 0; d < at.size(); ++d) value += slopes[d] * (at[d] - centre.place[d]);
  return value;
}

}  // namespace tessera
