// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/samples.hpp"
#include "ops/cells/classic/cells_classic.hpp"

namespace tessera {
namespace {

double level_of(Type type, double value) { return type == Type::u16 ? value / 257 : value; }

/// The nearest index inside. NaN becomes 0.
int inside(double index, int count) {
  if (!(index > 0)) return 0;
  return static_cast<int>(std::min(index, count - 1.0));
}

}  // namespace

ClassicPlane classic_plane(const AnyView& frame, int film, const CellsCrop& part) {
  ClassicPlane plane(part.width, part.height);
  for (int y = 0; y < part.height; ++y)
    for (int x = 0; x < part.width; ++x)
      plane.at(x, y) = level_of(frame.type, sample_at(frame, part.x + x, part.y + y, 0, film));
  return plane;
}

ClassicGradient classic_gradient(const ClassicPlane& image) {
  const int width = image.width, height = image.height;
  ClassicGradient gradient{{width, height}, {width, height}};
  for (int y = 0; y < height; ++y) {
    const int up = std::max(y - 1, 0), down = std::min(y + 1, height - 1);
    for (int x = 0; x < width; ++x) {
      const int left = std::max(x - 1, 0), right = std::min(x + 1, width - 1);
      const double along_x = image.at(right, y) - image.at(left, y);
      const double along_y = image.at(x, down) - image.at(x, up);
      gradient.x.at(x, y) = right - left == 2 ? along_x / 2 : along_x;
      gradient.y.at(x, y) = down - up == 2 ? along_y / 2 : along_y;
    }
  }
  return gradient;
}

double classic_bilinear(const ClassicPlane& image, double x, double y) {
  const double column = std::trunc(x), row = std::trunc(y);
  const double a = x - column, b = y - row;
  const int left = inside(column, image.width), right = inside(column + 1, image.width);
  const int top = inside(row, image.height), bottom = inside(row + 1, image.height);
  return (1 - a) * (1 - b) * image.at(left, top) + a * (1 - b) * image.at(right, top) +
         (1 - a) * b * image.at(left, bottom) + a * b * image.at(right, bottom);
}

}  // namespace tessera
