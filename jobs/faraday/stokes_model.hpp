// SPDX-License-Identifier: Apache-2.0
/// A smooth model of Stokes I over frequency for one spectrum (tessera/stokes_fit.hpp).
#pragma once

#include <array>
#include <vector>

#include "tessera/stokes_fit.hpp"

namespace tessera {

struct StokesModel {
  StokesCurve curve = StokesCurve::log;
  double reference = 1;  ///< Hz
  int order = 0;
  std::array<double, kMostStokesOrder + 1> coefficient{}, error{};
  double chi_squared = 0;
  int channels = 0;  ///< channels that were fitted
  /// As in MINPACK: 1, converged, 4, nothing is left; doubts are added to it.
  int status = 0;

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
