// SPDX-License-Identifier: Apache-2.0
/// How wide a Gaussian is compared with the beam, in the direction in which it is narrowest.
#pragma once

#include <array>

#include "ops/sources/fit/sources_gaussian.hpp"

namespace tessera {

struct RelativeWidth {
  double width = 0;  ///< 1: as the beam
  /// Its derivatives by p, q and s.
  std::array<double, 3> slopes = {};
};

RelativeWidth narrowest_width(const SourceGaussian& gaussian, const SourceShape& beam);

}  // namespace tessera
