// SPDX-License-Identifier: Apache-2.0
#include "ops/sources/fit/sources_gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tessera {

bool SourceGaussian::is_one() const {
  for (const double value : v)
    if (!std::isfinite(value)) return false;
  return v[0] > 0 && v[3] > 0 && v[5] > 0 && determinant() > 0;
}

double SourceGaussian::at(double column, double row) const {
  const double dx = column - v[1], dy = row - v[2];
  return v[0] * std::exp(-0.5 * (v[3] * dx * dx + 2 * v[4] * dx * dy + v[5] * dy * dy));
}

double SourceGaussian::slopes(double column, double row, double* to) const {
  const double dx = column - v[1], dy = row - v[2];
  const double shape = std::exp(-0.5 * (v[3] * dx * dx + 2 * v[4] * dx * dy + v[5] * dy * dy));
  const double value = v[0] * shape;
  to[0] = shape;
  to[1] = value * (v[3] * dx + v[4] * dy);
  to[2] = value * (v[4] * dx + v[5] * dy);
  to[3] = -0.5 * value * dx * dx;
  to[4] = -value * dx * dy;
  to[5] = -0.5 * value * dy * dy;
  return value;
}

double SourceGaussian::integral() const {
  return 2 * std::numbers::pi * v[0] / std::sqrt(determinant());
}

std::array<double, SourceGaussian::kParameters> SourceGaussian::integral_slopes() const {
  const double all = integral(), det = determinant();
  return {all / v[0], 0, 0, -0.5 * all * v[5] / det, all * v[4] / det, -0.5 * all * v[3] / det};
}

double SourceGaussian::reach_x(double value) const {
  if (!(v[0] > value)) return 0;
  return std::sqrt(2 * std::log(v[0] / value) * v[5] / determinant());
}

double SourceGaussian::reach_y(double value) const {
  if (!(v[0] > value)) return 0;
  return std::sqrt(2 * std::log(v[0] / value) * v[3] / determinant());
}

SourceMoments moments_of(const SourceGaussian& gaussian) {
  const double det = gaussian.determinant();
  return {gaussian.v[5] / det, -gaussian.v[4] / det, gaussian.v[3] / det};
}

// The long axis goes along (-sin, cos).
SourceMoments moments_of(const SourceShape& shape) {
  const double angle = shape.angle * std::numbers::pi / 180, sine = std::sin(angle),
               cosine = std::cos(angle);
  const double along = std::pow(shape.major / kWidthOfSigma, 2),
               across = std::pow(shape.minor / kWidthOfSigma, 2);
  return {along * sine * sine + across * cosine * cosine, (across - along) * sine * cosine,
          along * cosine * cosine + across * sine * sine};
}

SourceShape shape_of(const SourceMoments& m) {
  const double middle = (m.xx + m.yy) / 2, half = std::hypot((m.yy - m.xx) / 2, m.xy);
  const double angle = 0.5 * std::atan2(-2 * m.xy, m.yy - m.xx) * 180 / std::numbers::pi;
  return {kWidthOfSigma * std::sqrt(middle + half),
          kWidthOfSigma * std::sqrt(std::max(0.0, middle - half)), angle};
}

void set_shape(SourceGaussian& gaussian, const SourceMoments& m) {
  const double det = m.xx * m.yy - m.xy * m.xy;
  gaussian.v[3] = m.yy / det;
  gaussian.v[4] = -m.xy / det;
  gaussian.v[5] = m.xx / det;
}

}  // namespace tessera
