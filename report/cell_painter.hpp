// SPDX-License-Identifier: Apache-2.0
/// Lines, circles and numbers drawn into a picture, with smooth edges.
#pragma once

#include <cstdint>

#include "tessera/view.hpp"

namespace tessera {

struct Paint {
  std::uint8_t red = 0, green = 0, blue = 0;
};

/// Colours for ids, well separated and bright enough for grey films.
Paint track_colour(int id);

/// Draws into RGB pixels; anything outside is clipped. (0, 0) is the centre of the first pixel, as
/// in tracks. Opacity is 0 to 1.
class CellPainter {
 public:
  /// Three channels, in host memory.
  explicit CellPainter(const View<std::uint8_t>& picture) : picture_(picture) {}

  /// With round ends.
  void line(double x0, double y0, double x1, double y1, double width, Paint colour,
            double opacity = 1) const;
  void circle(double x, double y, double radius, double width, Paint colour,
              double opacity = 1) const;
  /// Digits `scale` times 5x7 pixels, their top left corner at (x, y), on a dark shade so that they
  /// can be read on any background.
  void number(int x, int y, int value, int scale, Paint colour) const;

 private:
  void blend(int x, int y, Paint colour, double opacity) const;
  void fill(int x, int y, int width, int height, Paint colour, double opacity) const;
  /// Blends every pixel of a box by how far it is from a line of that width; `distance` is the
  /// pixel's distance from the centre of the line.
  template <class Distance>
  void stroke(double left, double top, double right, double bottom, double width, Paint colour,
              double opacity, const Distance& distance) const;

  View<std::uint8_t> picture_;
};

}  // namespace tessera
