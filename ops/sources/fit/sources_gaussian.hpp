// SPDX-License-Identifier: Apache-2.0
/// An elliptical Gaussian, a exp(-(p dx^2 + 2 q dx dy + s dy^2) / 2), and its other descriptions.
#pragma once

#include <array>

#include "tessera/sources.hpp"

namespace tessera {

struct SourceGaussian {
  static constexpr int kParameters = 6;
  /// a, x, y, p, q, s
  std::array<double, kParameters> v = {};

  double a() const { return v[0]; }
  double x() const { return v[1]; }
  double y() const { return v[2]; }
  double determinant() const { return v[3] * v[5] - v[4] * v[4]; }
  /// A height and a width in every direction.
  bool is_one() const;
  double at(double column, double row) const;
  /// The derivatives by the parameters there; returns the value.
  double slopes(double column, double row, double* to) const;
  /// The integral over the plane, and its derivatives.
  double integral() const;
  std::array<double, kParameters> integral_slopes() const;
  /// Half the height and width of the region where it exceeds `value`; 0 if it does nowhere.
  double reach_x(double value) const;
  double reach_y(double value) const;
};

/// Variances along x and y, and the covariance.
struct SourceMoments {
  double xx = 0, xy = 0, yy = 0;
};
SourceMoments moments_of(const SourceGaussian& gaussian);
SourceMoments moments_of(const SourceShape& shape);
/// With widths at half maximum; the angle is from -90 to 90.
SourceShape shape_of(const SourceMoments& moments);
/// Sets p, q and s.
void set_shape(SourceGaussian& gaussian, const SourceMoments& moments);

inline constexpr double kWidthOfSigma = 2.354820045030949;  // sqrt(8 ln 2)

}  // namespace tessera
