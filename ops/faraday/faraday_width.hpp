// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tessera {

/// The width of an RMSF by theory, of channels whose lambda^2 is from `least` to `most`: of its
/// height, or of its real part where lambda2_0 is 0.
inline double faraday_width(double least, double most, double lambda2_0) {
  return lambda2_0 == 0 ? 2 / (most + least) : 3.8 / (most - least);
}

}  // namespace tessera
