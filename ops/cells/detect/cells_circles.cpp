// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/detect/cells_circles.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tessera {

CellCircle cell_circle(double radius, int points) {
  CellCircle circle{radius, points, {}};
  for (int n = 0; n < points; ++n) {
    // The lower half mirrors the upper one, to the last bit: the fast paths rely on it.
    const int upper = std::min(n, points - n);
    const double angle = 2 * std::numbers::pi * upper / points;
    const double c = std::cos(angle), s = n == upper ? std::sin(angle) : -std::sin(angle);
    const int dx = static_cast<int>(std::lround(radius * c));
    const int dy = static_cast<int>(std::lround(radius * s));
    auto& pixels = circle.pixels;
    auto pixel = std::find_if(pixels.begin(), pixels.end(),
                              [&](const CirclePixel& p) { return p.dx == dx && p.dy == dy; });
    if (pixel == pixels.end()) pixel = pixels.insert(pixel, {dx, dy, 0, 0, 0, 0, 0});
    pixel->cosine += c;
    pixel->sine += s;
    pixel->cosine_cosine += c * c;
    pixel->cosine_sine += c * s;
    pixel->sine_sine += s * s;
  }
  return circle;
}

}  // namespace tessera
