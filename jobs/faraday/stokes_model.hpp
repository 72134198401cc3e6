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
  int channels = 0;  ///< that were fitted
  int status = 0;    ///< as MINPACK counts: 1 to 4 it converged, 5 it did not in 200 steps

  double at(double frequency) const;
};

struct StokesPoints {
  std::vector<double> frequency, value, error;
};

/// A curve of that order; a negative one is the most, and the order grows to it while Akaike's
/// criterion, 2 (order + 1) + chi squared, falls. Channels count whose value and error are finite
/// and whose error is above 0; where no error is, all count alike. Throws Error(usage) where fewer
/// count than the order needs, and where Stokes I is 0: nothing can be divided by it.
StokesModel fit_stokes_model(const StokesPoints& points, StokesCurve curve, int order,
                             double reference);

}  // namespace tessera
