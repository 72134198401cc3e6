// SPDX-License-Identifier: Apache-2.0
#include "tessera/elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/refuse.hpp"

namespace tessera {
namespace {

/// A larger element is surely a typing error: 64 million pixels.
constexpr int kMostRadius = 4095;
constexpr int kMostLength = 2 * kMostRadius + 1;
constexpr long long kMostPixels = 1LL << 26;

}  // namespace

Image disk_element(double radius) {
  if (!(radius >= 0 && radius <= kMostRadius))
    refuse("element",
           fmt::format("a radius of {} is not offered; it can be 0 to {}", radius, kMostRadius));
  const int r = static_cast<int>(radius);
  Image element({2 * r + 1, 2 * r + 1}, Type::u8);
  for (int j = -r; j <= r; ++j)
    for (int i = -r; i <= r; ++i)
      element.as<unsigned char>().at(i + r, j + r) = i * i + j * j <= radius * radius;
  return element;
}

Image box_element(int width, int height) {
  if (width < 1 || height < 1)
    refuse("element", fmt::format("a box of {}x{} has no pixels; it needs at least one each way",
                                  width, height));
  if (1LL * width * height > kMostPixels)
    refuse("element", fmt::format("a box of {}x{} has {} pixels; it can have up to {}", width,
                                  height, 1LL * width * height, kMostPixels));
  Image element({width, height}, Type::u8);
  std::fill_n(element.as<unsigned char>().data, 1LL * width * height,
              static_cast<unsigned char>(1));
  return element;
}

Image line_element(int length, double degrees) {
  if (length < 1 || length > kMostLength)
    refuse("element", fmt::format("a line of {} pixels is not offered; it can have 1 to {}", length,
                                  kMostLength));
  if (!std::isfinite(degrees))
    refuse("element", fmt::format("a line at {} degrees has no slope", degrees));
  // Steps of one along the longer axis, shorter ones across; image rows count downwards.
  const double turn = degrees * std::numbers::pi / 180, c = std::cos(turn), s = -std::sin(turn);
  const double longest = std::max(std::abs(c), std::abs(s));
  const int before = length / 2, after = length - 1 - before;
  // lround takes halves away from zero, so both halves of the line are alike.
  const auto place = [&](int k, double step) {
    return static_cast<int>(std::lround(k * step / longest));
  };
  const int left = std::min(place(-before, c), place(after, c));
  const int top = std::min(place(-before, s), place(after, s));
  const Size size{std::max(place(-before, c), place(after, c)) - left + 1,
                  std::max(place(-before, s), place(after, s)) - top + 1};
  Image element(size, Type::u8);
  for (int k = -before; k <= after; ++k)
    element.as<unsigned char>().at(place(k, c) - left, place(k, s) - top) = 1;
  return element;
}

Image cross_element(int radius) {
  if (radius < 0 || radius > kMostRadius)
    refuse("element",
           fmt::format("a radius of {} is not offered; it can be 0 to {}", radius, kMostRadius));
  Image element({2 * radius + 1, 2 * radius + 1}, Type::u8);
  for (int k = 0; k <= 2 * radius; ++k) {
    element.as<unsigned char>().at(k, radius) = 1;
    element.as<unsigned char>().at(radius, k) = 1;
  }
  return element;
}

}  // namespace tessera
