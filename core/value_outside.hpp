// SPDX-License-Identifier: Apache-2.0
/// What lies outside an image with border constant.
#pragma once

#include <cmath>

#include "tessera/view.hpp"

namespace tessera {

/// The constant for images of a type: integers take its whole part, as in SciPy.
inline double value_outside(Type type, double constant) {
  return is_integer(type) ? std::trunc(constant) : constant;
}

}  // namespace tessera
