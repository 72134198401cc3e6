// SPDX-License-Identifier: Apache-2.0
/// Whether a cube of Stokes I is a model or data. Q and U must be divided by a smooth model:
/// divided by data, they get the noise of I, and rotation measures of empty pixels mean nothing.
#pragma once

#include <vector>

#include "jobs/faraday/faraday_cube_file.hpp"

namespace tessera {

/// How far a spectrum is from the nearest smooth curve.
struct StokesRoughness {
  bool judged = false;  ///< enough channels are finite and not 0
  double scatter = 0;   ///< deviation from the curve, relative to the mean magnitude
  double jumps = 0;     ///< mean squared difference of neighbours / variance: 2 for noise
  bool is_data() const;
};

/// Curves are polynomials of order 5: of I over f and, if it has one sign, of ln |I| over ln f; the
/// better of the two.
StokesRoughness stokes_roughness(const std::vector<double>& frequencies,
                                 const std::vector<double>& values);

/// Reads rows, spread over the image, until 500 pixels are judged, or 256 rows are read. Throws
/// Error(usage) in one sentence if more than half of the pixels are data.
void check_is_model(FaradayCubeSource& cube, const std::vector<double>& frequencies);

}  // namespace tessera
