// SPDX-License-Identifier: Apache-2.0
#include "jobs/demo/draw_colours.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "io/formats.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

constexpr std::array<DrawnColour, 5> kHeat{
    {{0.01, 0.01, 0.03}, {0.34, 0.06, 0.43}, {0.78, 0.22, 0.29}, {0.98, 0.64, 0.11}, {1, 1, 0.9}}};

/// A NaN is the low limit.
double limited(double value, double low, double high) {
  return value > low ? std::min(value, high) : low;
}

unsigned char byte_of(double part) {
  return static_cast<unsigned char>(std::lround(255 * limited(part, 0, 1)));
}

}  // namespace

DrawnColour heat_colour(double value) {
  const double place = limited(value, 0, 1) * (kHeat.size() - 1);
  const std::size_t k = std::min(static_cast<std::size_t>(place), kHeat.size() - 2);
  const double share = place - static_cast<double>(k);
  const DrawnColour &a = kHeat[k], &b = kHeat[k + 1];
  return {std::lerp(a.red, b.red, share), std::lerp(a.green, b.green, share),
          std::lerp(a.blue, b.blue, share)};
}

DrawnColour signed_colour(double value, double light) {
  const double turn = limited(value, -1, 1), bright = limited(light, 0, 1);
  return {bright * std::min(1.0, 1 + turn), bright * (1 - std::abs(turn)),
          bright * std::min(1.0, 1 - turn)};
}

double in_steps(double value, int steps) { return std::round(value * steps) / steps; }

void draw_colours(const std::string& path, int width, int height,
                  const std::function<DrawnColour(int x, int y)>& colour) {
  const Format* format = format_of_name(path);
  if (!format || !format->can_write()) return;
  Image image(Size{width, height, 3}, Type::u8);
  const auto pixels = image.as<unsigned char>();
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const DrawnColour drawn = colour(x, y);
      pixels.at(x, y, 0) = byte_of(drawn.red);
      pixels.at(x, y, 1) = byte_of(drawn.green);
      pixels.at(x, y, 2) = byte_of(drawn.blue);
    }
  write_image(path, image.view(), {.force = true});
}

}  // namespace tessera
