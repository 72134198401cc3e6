// SPDX-License-Identifier: Apache-2.0
#include "report/cell_painter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace tessera {
namespace {

// The same list as in cells_page_data.js: page and movie show a track in one colour.
constexpr Paint kCellPaints[] = {{0x4c, 0xc9, 0xf0}, {0xff, 0xb7, 0x03}, {0x80, 0xed, 0x99},
                                 {0xff, 0x70, 0x96}, {0xc7, 0x7d, 0xff}, {0xf9, 0xe2, 0x6b},
                                 {0xff, 0x8c, 0x42}, {0x2e, 0xc4, 0xb6}, {0xa0, 0xc4, 0xff},
                                 {0xff, 0xad, 0xe0}};

// Rows of five dots, the leftmost in bit 4.
constexpr std::array<std::array<unsigned char, 7>, 10> kDigits{{
    {0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110},
    {0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110},
    {0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111},
    {0b11111, 0b00010, 0b00100, 0b00010, 0b00001, 0b10001, 0b01110},
    {0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010},
    {0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110},
    {0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110},
    {0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000},
    {0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110},
    {0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100},
}};
constexpr int kDigitWidth = 5, kDigitHeight = 7, kDigitStep = 6;
constexpr double kShade = 0.55;

std::uint8_t mixed(std::uint8_t under, std::uint8_t over, double opacity) {
  return static_cast<std::uint8_t>(std::lround(under + opacity * (over - under)));
}

double distance_to_segment(double x, double y, double x0, double y0, double x1, double y1) {
  const double along_x = x1 - x0, along_y = y1 - y0;
  const double squared = along_x * along_x + along_y * along_y;
  const double along =
      squared > 0 ? std::clamp(((x - x0) * along_x + (y - y0) * along_y) / squared, 0.0, 1.0) : 0;
  return std::hypot(x - x0 - along * along_x, y - y0 - along * along_y);
}

}  // namespace

Paint track_colour(int id) {
  constexpr int kCount = std::size(kCellPaints);
  return kCellPaints[((id - 1) % kCount + kCount) % kCount];
}

void CellPainter::blend(int x, int y, Paint colour, double opacity) const {
  std::uint8_t* pixel = &picture_.at(x, y);
  pixel[0] = mixed(pixel[0], colour.red, opacity);
  pixel[1] = mixed(pixel[1], colour.green, opacity);
  pixel[2] = mixed(pixel[2], colour.blue, opacity);
}

template <class Distance>
void CellPainter::stroke(double left, double top, double right, double bottom, double width,
                         Paint colour, double opacity, const Distance& distance) const {
  // Clipped as doubles: a position far outside does not fit an int.
  const double reach = width / 2 + 1;
  const auto cut = [](double place, int end) {
    return static_cast<int>(std::clamp(place, 0.0, static_cast<double>(end)));
  };
  const int first_x = cut(std::floor(left - reach), picture_.size.width);
  const int first_y = cut(std::floor(top - reach), picture_.size.height);
  const int end_x = cut(std::ceil(right + reach) + 1, picture_.size.width);
  const int end_y = cut(std::ceil(bottom + reach) + 1, picture_.size.height);
  for (int y = first_y; y < end_y; ++y)
    for (int x = first_x; x < end_x; ++x) {
      const double covered = std::clamp(width / 2 + 0.5 - distance(x, y), 0.0, 1.0);
      if (covered > 0) blend(x, y, colour, opacity * covered);
    }
}

void CellPainter::line(double x0, double y0, double x1, double y1, double width, Paint colour,
                       double opacity) const {
  if (!std::isfinite(x0 + y0 + x1 + y1)) return;
  stroke(std::min(x0, x1), std::min(y0, y1), std::max(x0, x1), std::max(y0, y1), width, colour,
         opacity, [&](int x, int y) { return distance_to_segment(x, y, x0, y0, x1, y1); });
}

void CellPainter::circle(double x, double y, double radius, double width, Paint colour,
                         double opacity) const {
  if (!std::isfinite(x + y + radius)) return;
  stroke(x - radius, y - radius, x + radius, y + radius, width, colour, opacity,
         [&](int px, int py) { return std::abs(std::hypot(px - x, py - y) - radius); });
}

void CellPainter::fill(int x, int y, int width, int height, Paint colour, double opacity) const {
  const int end_x = std::min(x + width, picture_.size.width);
  const int end_y = std::min(y + height, picture_.size.height);
  for (int row = std::max(0, y); row < end_y; ++row)
    for (int column = std::max(0, x); column < end_x; ++column) blend(column, row, colour, opacity);
}

void CellPainter::number(int x, int y, int value, int scale, Paint colour) const {
  const std::string digits = std::to_string(std::max(0, value));
  const int width = kDigitStep * static_cast<int>(digits.size()) + 1;
  fill(x - scale, y - scale, width * scale, (kDigitHeight + 2) * scale, {}, kShade);
  for (const char digit : digits) {
    const auto& rows = kDigits[static_cast<std::size_t>(digit - '0')];
    for (int row = 0; row < kDigitHeight; ++row)
      for (int column = 0; column < kDigitWidth; ++column)
        if (rows[static_cast<std::size_t>(row)] >> (kDigitWidth - 1 - column) & 1)
          fill(x + column * scale, y + row * scale, scale, scale, colour, 1);
    x += kDigitStep * scale;
  }
}

}  // namespace tessera
