// SPDX-License-Identifier: Apache-2.0
/// The circles of detection as offsets of whole pixels.
#pragma once

#include <vector>

namespace tessera {

/// A pixel of a circle. Points of a circle that fall on one pixel keep their own angles: the sums
/// of their derivatives and of the squares are linear in the sums below.
struct CirclePixel {
  int dx, dy;
  double cosine, sine;                           ///< sums of cos, sin
  double cosine_cosine, cosine_sine, sine_sine;  ///< sums of cos^2, cos sin, sin^2
};

struct CellCircle {
  double radius = 0;
  int points = 0;
  std::vector<CirclePixel> pixels;  ///< in the order of their first points
};

CellCircle cell_circle(double radius, int points);

}  // namespace tessera
