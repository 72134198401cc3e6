// SPDX-License-Identifier: Apache-2.0
/// Films of cells that are bright on one side and dark on the other.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "tessera/image.hpp"

namespace tessera::testing {

struct LitStart {
  double x, y;
};
inline const std::vector<LitStart> kLitStarts{{30, 40}, {60, 110}, {40, 180}, {120, 70}};

/// Rims lit from above on the left; cells roll to the right.
inline Image lit_film(double radius, double width, double height, int frames = 80) {
  Image film({320, 240, 1, frames}, Type::u8);
  const auto planes = film.as<unsigned char>();
  for (int k = 0; k < frames; ++k)
    for (int y = 0; y < 240; ++y)
      for (int x = 0; x < 320; ++x) {
        double value = 110 + 3 * std::sin(x * 0.21 + y * 0.05) + (x * 7 + y * 13 + k * 5) % 5;
        for (const LitStart& start : kLitStarts) {
          const double u = x - start.x - 1.5 * k, v = y - start.y, r = std::hypot(u, v) + 1e-9;
          value -=
              height * (u + v) / r * std::exp(-(r - radius) * (r - radius) / (2 * width * width));
        }
        planes.at(x, y, 0, k) = static_cast<unsigned char>(std::clamp(value, 0.0, 255.0));
      }
  return film;
}

}  // namespace tessera::testing
