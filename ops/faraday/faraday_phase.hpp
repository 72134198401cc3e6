// SPDX-License-Identifier: Apache-2.0
/// The phase of a channel at a depth, one rule for reference, tables and RMSF.
#pragma once

#include <cmath>
#include <complex>
#include <numbers>

namespace tessera {

/// exp(-2 i phi d): the phase in double, reduced to a turn before sine and cosine see it.
inline std::complex<double> faraday_turn(double phi, double d) {
  const double turns = phi * d / std::numbers::pi;
  const double angle = -2 * std::numbers::pi * (turns - std::nearbyint(turns));
  return {std::cos(angle), std::sin(angle)};
}

}  // namespace tessera
