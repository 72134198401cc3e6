// SPDX-License-Identifier: Apache-2.0
/// Pictures of parts of the demo that are colours of numbers.
#pragma once

#include <functional>
#include <string>

namespace tessera {

/// Red, green and blue from 0 to 1.
struct DrawnColour {
  double red = 0, green = 0, blue = 0;
};

/// From black (0) over violet and orange to white (1); other values are these limits.
DrawnColour heat_colour(double value);

/// From blue (-1) over white (0) to red (1), as light as `light` says (0 is black).
DrawnColour signed_colour(double value, double light = 1);

/// The number in whole steps: what differs by noise alone looks alike then, and files stay small.
double in_steps(double value, int steps);

/// A PNG of that many pixels, in place of one that is there. Without PNG in this build there is
/// none.
void draw_colours(const std::string& path, int width, int height,
                  const std::function<DrawnColour(int x, int y)>& colour);

}  // namespace tessera
