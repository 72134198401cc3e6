// SPDX-License-Identifier: Apache-2.0
// The smallest beam around others. A beam C can be reached from C_i if C - C_i has no negative
// eigenvalue, which is the same as A_i - A for the inverses. So A has the largest determinant under
// these conditions: a convex problem of three unknowns, solved by Newton's method with a
// logarithmic barrier. The result is inside the conditions, so that every beam can really be
// convolved to it.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/refuse.hpp"
#include "ops/beam/beam_matrix.hpp"

namespace tessera {
namespace {

/// The area of the result exceeds the smallest by at most this share.
constexpr double kGap = 1e-8;

using Triple = std::array<double, 3>;

/// -log det(A) - mu sum of log det(A_i - A); infinite outside the conditions.
double barrier_value(const BeamMatrix& at, const std::vector<BeamMatrix>& limits, double mu) {
  if (!(at.a > 0 && at.determinant() > 0)) return INFINITY;
  double sum = -std::log(at.determinant());
  for (const BeamMatrix& limit : limits) {
    const BeamMatrix rest = limit - at;
    if (!(rest.a > 0 && rest.determinant() > 0)) return INFINITY;
    sum -= mu * std::log(rest.determinant());
  }
  return sum;
}

/// Gradient and Hessian of a sum of logarithms of determinants, over a, b and c.
struct Slopes {
  Triple gradient{};
  std::array<Triple, 3> hessian{};

  /// Adds those of -weight log det(X); `sign` is that of the unknown in X.
  void add(const BeamMatrix& x, double weight, double sign) {
    const BeamMatrix v = x.inverse();
    const Triple first{v.a, 2 * v.b, v.c};
    const double second[3][3] = {{v.a * v.a, 2 * v.a * v.b, v.b * v.b},
                                 {2 * v.a * v.b, 2 * (v.a * v.c + v.b * v.b), 2 * v.b * v.c},
                                 {v.b * v.b, 2 * v.b * v.c, v.c * v.c}};
    for (std::size_t i = 0; i < 3; ++i) {
      gradient[i] -= weight * sign * first[i];
      for (std::size_t j = 0; j < 3; ++j) hessian[i][j] += weight * second[i][j];
    }
  }
};

/// Solves a symmetric positive system by elimination.
Triple solved(std::array<Triple, 3> m, Triple v) {
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t i = k + 1; i < 3; ++i) {
      const double share = m[i][k] / m[k][k];
      for (std::size_t j = k; j < 3; ++j) m[i][j] -= share * m[k][j];
      v[i] -= share * v[k];
    }
  for (std::size_t k = 3; k-- > 0;) {
    for (std::size_t j = k + 1; j < 3; ++j) v[k] -= m[k][j] * v[j];
    v[k] /= m[k][k];
  }
  return v;
}

/// One step of Newton's method, shortened until the value falls; returns whether it did.
bool improve(BeamMatrix& at, const std::vector<BeamMatrix>& limits, double mu) {
  Slopes slopes;
  slopes.add(at, 1, 1);
  for (const BeamMatrix& limit : limits) slopes.add(limit - at, mu, -1);
  const Triple step = solved(slopes.hessian, slopes.gradient);
  const double fall =
      step[0] * slopes.gradient[0] + step[1] * slopes.gradient[1] + step[2] * slopes.gradient[2];
  if (!(fall > 1e-13)) return false;
  const double before = barrier_value(at, limits, mu);
  for (double part = 1; part > 1e-9; part /= 2) {
    const BeamMatrix next{at.a - part * step[0], at.b - part * step[1], at.c - part * step[2]};
    if (barrier_value(next, limits, mu) > before - 0.1 * part * fall) continue;
    at = next;
    return true;
  }
  return false;
}

/// The smallest ellipse around all, in units in which the longest axis is 1.
BeamMatrix enclosing(const std::vector<BeamMatrix>& limits) {
  BeamMatrix at{0.9, 0, 0.9};
  const double last = kGap / (2.0 * static_cast<double>(limits.size()));
  for (double mu = 1;; mu = std::max(mu / 8, last)) {
    for (int steps = 0; steps < 50 && improve(at, limits, mu);) ++steps;
    if (mu <= last) return at.inverse();
  }
}

/// The beam with the largest area if all others can be convolved to it.
const Beam* largest_if_it_holds(std::span<const Beam> beams) {
  const Beam& largest = *std::ranges::max_element(beams, {}, &Beam::area);
  const BeamMatrix matrix = matrix_of(largest);
  const bool holds = std::ranges::all_of(
      beams, [&](const Beam& beam) { return holds_beam(matrix, matrix_of(beam)); });
  return holds ? &largest : nullptr;
}

}  // namespace

Beam common_beam(std::span<const Beam> beams, bool circular) {
  if (beams.empty()) refuse("beam", "there is no beam; give one or more");
  for (const Beam& beam : beams) check_beam(beam, "a beam");
  const double longest = std::ranges::max(beams, {}, &Beam::major).major;
  if (circular) return {longest, longest, 0};
  if (const Beam* largest = largest_if_it_holds(beams)) return *largest;
  std::vector<BeamMatrix> limits;
  for (const Beam& beam : beams)
    limits.push_back((1 / (longest * longest) * matrix_of(beam)).inverse());
  return beam_of(longest * longest * enclosing(limits));
}

}  // namespace tessera
