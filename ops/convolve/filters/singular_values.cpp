// SPDX-License-Identifier: Apache-2.0
// One-sided Jacobi: plane rotations make the vectors of a matrix orthogonal pair by pair. Slower
// than other algorithms for large matrices, but as accurate as any; filters are small.
#include "ops/convolve/filters/singular_values.hpp"
#include "core/stop.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tessera {
namespace {

using Vectors = std::vector<std::vector<double>>;

constexpr int kMostSweeps = 40;  // six to ten are usual

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void rotate(std::vector<double>& a, std::vector<double>& b, double c, double s) {
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double x = a[k], y = b[k];
    a[k] = c * x - s * y;
    b[k] = s * x + c * y;
  }
}

/// Rotates vectors p and q until they are orthogonal; false if they already were.
bool turn_pair(Vectors& vectors, Vectors& turned, std::size_t p, std::size_t q) {
  const double pp = dot(vectors[p], vectors[p]), qq = dot(vectors[q], vectors[q]);
  const double pq = dot(vectors[p], vectors[q]);
  if (!(std::abs(pq) > std::numeric_limits<double>::epsilon() * std::sqrt(pp) * std::sqrt(qq)))
    return false;
  const double zeta = (qq - pp) / (2 * pq);
  const double t = std::copysign(1.0, zeta) / (std::abs(zeta) + std::hypot(1.0, zeta));
  const double c = 1 / std::hypot(1.0, t);
  rotate(vectors[p], vectors[q], c, c * t);
  rotate(turned[p], turned[q], c, c * t);
  return true;
}

/// Makes the vectors orthogonal; returns the rotations, as unit vectors, that lead back to the
/// input.
Vectors make_orthogonal(Vectors& vectors) {
  const std::size_t n = vectors.size();
  Vectors turned(n, std::vector<double>(n, 0.0));
  for (std::size_t k = 0; k < n; ++k) turned[k][k] = 1;
  bool again = true;
  for (int sweep = 0; sweep < kMostSweeps && again; ++sweep) {
    again = false;
    for (std::size_t p = 0; p + 1 < n; ++p) {
      poll_stop();
      for (std::size_t q = p + 1; q < n; ++q) again |= turn_pair(vectors, turned, p, q);
    }
  }
  return turned;
}

}  // namespace

std::vector<std::pair<std::vector<double>, std::vector<double>>> singular_terms(
    const std::vector<double>& matrix, int width, int height) {
  // The vectors of the shorter side are rotated, as there are fewer of them. Weights are scaled so
  // that their squares neither overflow nor vanish.
  const bool by_rows = height <= width;
  const int count = by_rows ? height : width, length = by_rows ? width : height;
  double largest = 0;
  for (const double weight : matrix) largest = std::max(largest, std::abs(weight));
  const double unit = largest > 0 ? largest : 1;
  Vectors vectors(count, std::vector<double>(length));
  for (int k = 0; k < count; ++k)
    for (int l = 0; l < length; ++l)
      vectors[k][l] = matrix[by_rows ? static_cast<std::size_t>(k) * width + l
                                     : static_cast<std::size_t>(l) * width + k] /
                      unit;
  Vectors turned = make_orthogonal(vectors);

  std::vector<std::pair<double, int>> order;
  for (int k = 0; k < count; ++k) order.emplace_back(-dot(vectors[k], vectors[k]), k);
  std::ranges::sort(order);
  std::vector<std::pair<std::vector<double>, std::vector<double>>> terms;
  for (const auto& [minus_square, k] : order) {
    if (minus_square == 0) continue;
    auto& row = by_rows ? vectors[k] : turned[k];
    auto& column = by_rows ? turned[k] : vectors[k];
    for (double& value : column) value *= unit;
    terms.emplace_back(std::move(row), std::move(column));
  }
  return terms;
}

}  // namespace tessera
