// SPDX-License-Identifier: Apache-2.0
/// Pictures of the demo that show numbers as colours.
#pragma once

#include <functional>
#include <string>

namespace tessera {

/// Red, green and blue from 0 to 1.
struct DrawnColour {
  double red = 0, green = 0, blue = 0;
};

/// From black (0) through violet and orange to white (1); other values are clamped.
DrawnColour heat_colour(double value);

/// From blue (-1) through white (0) to red (1), with brightness `light` (0 is black).
DrawnColour signed_colour(double value, double light = 1);

/// The number rounded to whole steps: pixels that differ only by noise look the same, and files
/// stay small.
double in_steps(double value, int steps);

/// Writes a PNG of that many pixels, replacing an existing one. Without PNG in this build, nothing
/// is written.
void draw_colours(const std::string& path, int width, int height,
                  const std::function<DrawnColour(int x, int y)>& colour);

}  // namespace tessera
