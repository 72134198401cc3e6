// SPDX-License-Identifier: Apache-2.0
// The detection snake: a closed uniform cubic B-spline.
#include <cmath>

#include "ops/cells/classic/cells_classic.hpp"

namespace tessera {
namespace {

constexpr std::size_t kControls = kClassicControls, kPoints = kClassicContour;
constexpr std::size_t kPerSegment = kPoints / kControls;
constexpr int kIterations = 20;
constexpr double kTimeStep = 0.02, kOffset = 3;

using Controls = std::array<double, kControls>;
using Points = std::array<double, kPoints>;

std::array<double, 4> basis_at(double s) {
  const double s2 = s * s, s3 = s2 * s, left = 1 - s;
  return {left * left * left / 6, (3 * s3 - 6 * s2 + 4) / 6, (-3 * s3 + 3 * s2 + 3 * s + 1) / 6,
          s3 / 6};
}

std::array<double, 4> slope_at(double s) {
  const double s2 = s * s;
  return {(-3 * s2 + 6 * s - 3) / 6, (9 * s2 - 12 * s) / 6, (-9 * s2 + 6 * s + 3) / 6, 3 * s2 / 6};
}

Points times(const std::array<ClassicBasis::Row, kPoints>& basis, const Controls& controls) {
  Points points{};
  for (std::size_t i = 0; i < kPoints; ++i)
    for (std::size_t c = 0; c < kControls; ++c) points[i] += basis[i][c] * controls[c];
  return points;
}

/// Gaussian elimination; the matrix is positive definite, so no pivoting is needed.
Controls solved(std::array<Controls, kControls> matrix, Controls right) {
  for (std::size_t k = 0; k < kControls; ++k)
    for (std::size_t row = k + 1; row < kControls; ++row) {
      const double factor = matrix[row][k] / matrix[k][k];
      for (std::size_t c = k; c < kControls; ++c) matrix[row][c] -= factor * matrix[k][c];
      right[row] -= factor * right[k];
    }
  for (std::size_t k = kControls; k-- > 0;) {
    for (std::size_t c = k + 1; c < kControls; ++c) right[k] -= matrix[k][c] * right[c];
    right[k] /= matrix[k][k];
  }
  return right;
}

Controls fit_axis(const Points& points) {
  std::array<Controls, kControls> normal{};
  Controls right{};
  for (std::size_t i = 0; i < kPoints; ++i) {
    const auto& basis = classic_basis().value[i];
    for (std::size_t a = 0; a < kControls; ++a) {
      right[a] += basis[a] * points[i];
      for (std::size_t b = 0; b < kControls; ++b) normal[a][b] += basis[a] * basis[b];
    }
  }
  return solved(normal, right);
}

struct Force {
  double x = 0, y = 0;
};

/// The force on the first control point: how the sum of the pixels just outside the contour minus
/// those just inside changes as the point moves.
Force first_force(const ClassicSpline& spline, const ClassicGradient& gradient) {
  const ClassicBasis& basis = classic_basis();
  const ClassicContour at = spline.contour();
  const Points tangent_x = times(basis.slope, spline.x), tangent_y = times(basis.slope, spline.y);
  Force force;
  for (std::size_t i = 0; i < kPoints; ++i) {
    const double xs = tangent_x[i], ys = tangent_y[i], length = std::sqrt(xs * xs + ys * ys);
    const double normal_x = ys / length, normal_y = -xs / length;
    // The rows of both points are moved the same way; the second should move the other way.
    const double x1 = at.x[i] + kOffset * normal_x, y1 = at.y[i] + kOffset * normal_y;
    const double x2 = at.x[i] - kOffset * normal_x, y2 = at.y[i] + kOffset * normal_y;
    const double ix1 = classic_bilinear(gradient.x, x1, y1);
    const double iy1 = classic_bilinear(gradient.y, x1, y1);
    const double ix2 = classic_bilinear(gradient.x, x2, y2);
    const double iy2 = classic_bilinear(gradient.y, x2, y2);
    const double a = basis.value[i][0], b = basis.slope[i][0];
    const double cubed = length * length * length;
    const double p = kOffset * xs * ys * b / cubed;
    const double qx = kOffset * (b / length - xs * xs * b / cubed);
    const double qy = kOffset * (b / length - ys * ys * b / cubed);
    force.x += (a - p) * ix1 - qx * iy1 - (a + p) * ix2 - qx * iy2;
    force.y += qy * ix1 + (a + p) * iy1 + qy * ix2 - (a - p) * iy2;
  }
  return force;
}

}  // namespace

const ClassicBasis& classic_basis() {
  static const ClassicBasis made = [] {
    ClassicBasis basis{};
    for (std::size_t i = 0; i < kPoints; ++i) {
      const std::size_t segment = i / kPerSegment;
      const double s = static_cast<double>(i % kPerSegment) / kPerSegment;
      for (std::size_t k = 0; k < 4; ++k) {
        const std::size_t control = (segment + kControls - 1 + k) % kControls;
        basis.value[i][control] = basis_at(s)[k];
        basis.slope[i][control] = slope_at(s)[k];
      }
    }
    return basis;
  }();
  return made;
}

ClassicContour ClassicSpline::contour() const {
  return {times(classic_basis().value, x), times(classic_basis().value, y)};
}

ClassicSpline classic_fit(const ClassicContour& contour) {
  return {fit_axis(contour.x), fit_axis(contour.y)};
}

void classic_refine(ClassicSpline& spline, const ClassicGradient& gradient, bool rises_outward) {
  const double step = rises_outward ? kTimeStep : -kTimeStep;
  for (int k = 0; k < kIterations; ++k) {
    const Force force = first_force(spline, gradient);
    // A mistake in the published program: only one point moves, and it starts from its neighbour.
    spline.x[0] = spline.x[1] + step * force.x;
    spline.y[0] = spline.y[1] + step * force.y;
  }
}

}  // namespace tessera
