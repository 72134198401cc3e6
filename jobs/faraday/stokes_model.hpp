// SPDX-License-Identifier: Apache-2.0
/// A smooth model of Stokes I over frequency, by weighted least squares.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "tessera/options.hpp"

namespace tessera {

/// With x = frequency / reference: `log` is c0 10^(c1 L + c2 L^2 + …), L = log10 x, and `linear`
/// c0 + c1 x + c2 x^2 + …
enum class StokesCurve : unsigned char { log, linear };
template <>
struct Names<StokesCurve> {
  static constexpr std::array<std::pair<std::string_view, StokesCurve>, 2> list{
      {{"log", StokesCurve::log}, {"linear", StokesCurve::linear}}};
};

inline constexpr int kMostStokesOrder = 5;

struct StokesModel {
  StokesCurve curve = StokesCurve::log;
  double reference = 1;  ///< Hz
  int order = 0;
  std::array<double, kMostStokesOrder + 1> coefficient{}, error{};
  double chi_squared = 0;
  int channels = 0;  ///< channels that were fitted
  int status = 0;    ///< as in MINPACK: 1 to 4 converged, 5 not converged after 200 steps

  double at(double frequency) const;
};

struct StokesPoints {
  std::vector<double> frequency, value, error;
};

/// A curve of that order; if it is negative, its magnitude is the maximum, and the order grows
/// while Akaike's criterion, 2 (order + 1) + chi squared, falls. Channels count if value and error
/// are finite and the error is above 0; if no error is above 0, all count equally. Throws
/// Error(usage) if fewer channels count than the order needs, and if Stokes I is 0, because nothing
/// can be divided by it.
StokesModel fit_stokes_model(const StokesPoints& points, StokesCurve curve, int order,
                             double reference);

}  // namespace tessera
