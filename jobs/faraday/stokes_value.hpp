// SPDX-License-Identifier: Apache-2.0
/// A fitted curve of Stokes I at one frequency, with its errors.
#pragma once

#include "tessera/stokes_fit.hpp"

namespace tessera {

struct StokesValue {
  double intensity = 0, error = 0;
  double alpha = 0, alpha_error = 0;  ///< d ln I / d ln frequency there
};

/// From the planes of StokesPlanes of a pixel that was fitted; errors have the full covariance.
StokesValue stokes_value(View<const float> maps, Point pixel, StokesCurve curve, double frequency);

}  // namespace tessera
