// SPDX-License-Identifier: Apache-2.0
/// A sky to work on, for benchmarks and reports.
#pragma once

#include <limits>

#include "sample/random.hpp"
#include "tessera/image.hpp"

namespace tessera {

/// Noise and, if asked for, blanks: a corner, as in a mosaic, and one pixel in 50.
inline Image noise_sky(int side, bool blanks) {
  Image image({side, side}, Type::f32);
  const View<float> pixels = image.as<float>();
  for (int y = 0; y < side; ++y) {
    Random random{static_cast<unsigned>(y)};
    for (int x = 0; x < side; ++x) {
      double value = -6;
      for (int k = 0; k < 12; ++k) value += random.unit();  // nearly normal
      const bool blank = blanks && (x + y < side / 2 || random.below(50) == 0);
      pixels.at(x, y) = blank ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(value);
    }
  }
  return image;
}

}  // namespace tessera
