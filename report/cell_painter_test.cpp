// SPDX-License-Identifier: Apache-2.0
#include "report/cell_painter.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tessera/image.hpp"

namespace tessera {
namespace {

constexpr Paint kRed{255, 0, 0};

class Painted : public ::testing::Test {
 protected:
  Painted() : picture_({40, 30, 3}, Type::u8), painter(picture_.as<std::uint8_t>()) {}

  int red(int x, int y) const { return picture_.as<std::uint8_t>().at(x, y); }
  /// The sum of coverage: the number of pixels painted in total.
  double painted() const {
    double sum = 0;
    for (int y = 0; y < 30; ++y)
      for (int x = 0; x < 40; ++x) sum += red(x, y) / 255.0;
    return sum;
  }
  bool empty() const { return painted() == 0; }

  Image picture_;
  CellPainter painter;
};

TEST_F(Painted, ALineCoversItsPixelsAndNoOthers) {
  painter.line(5, 10, 15, 10, 1, kRed);
  for (int x = 5; x <= 15; ++x) EXPECT_EQ(red(x, 10), 255) << x;
  EXPECT_EQ(red(10, 9), 0);
  EXPECT_EQ(red(10, 11), 0);
  EXPECT_EQ(red(17, 10), 0);
}

TEST_F(Painted, ALineBetweenTwoRowsIsSharedByThem) {
  painter.line(5, 10.5, 15, 10.5, 1, kRed);
  EXPECT_EQ(red(10, 10), 128);
  EXPECT_EQ(red(10, 11), 128);
  EXPECT_EQ(red(10, 12), 0);
}

TEST_F(Painted, ACircleHasItsRadius) {
  painter.circle(20, 15, 8, 1, kRed);
  for (const auto& [x, y] : std::vector<std::pair<int, int>>{{28, 15}, {12, 15}, {20, 7}, {20, 23}})
    EXPECT_EQ(red(x, y), 255) << x << " " << y;
  EXPECT_EQ(red(20, 15), 0);
  EXPECT_NEAR(painted(), 2 * M_PI * 8, 1.0);  // a line one pixel wide as long as the circle
}

TEST_F(Painted, WhatLiesOutsideIsCutOff) {
  painter.circle(0, 0, 8, 1, kRed);
  EXPECT_EQ(red(8, 0), 255);
  EXPECT_NEAR(painted(), 2 * M_PI * 8 / 4, 2.0);
  painter.number(38, 28, 88, 1, kRed);
  painter.line(-1e12, 20, 1e12, 20, 1, kRed);
  EXPECT_EQ(red(0, 20), 255);
  EXPECT_EQ(red(39, 20), 255);
}

TEST_F(Painted, FarAwayOrNotANumberPaintsNothing) {
  painter.circle(1e15, -1e15, 8, 1, kRed);
  painter.line(-50, -50, -60, -60, 2, kRed);
  painter.circle(std::numeric_limits<double>::quiet_NaN(), 3, 8, 1, kRed);
  painter.number(100, 100, 7, 2, kRed);
  EXPECT_TRUE(empty());
}

TEST_F(Painted, OpacityMixes) {
  painter.line(5, 10, 15, 10, 1, kRed, 0.5);
  EXPECT_EQ(red(10, 10), 128);
}

TEST_F(Painted, DigitsCanBeToldApart) {
  std::vector<std::string> shapes;
  for (int digit = 0; digit < 10; ++digit) {
    Image one({5, 7, 3}, Type::u8);
    CellPainter(one.as<std::uint8_t>()).number(0, 0, digit, 1, kRed);
    std::string shape;
    for (int y = 0; y < 7; ++y)
      for (int x = 0; x < 5; ++x) shape += one.as<std::uint8_t>().at(x, y) > 0 ? '#' : '.';
    for (const std::string& other : shapes) EXPECT_NE(shape, other);
    shapes.push_back(shape);
  }
  EXPECT_EQ(shapes[7], "#####....#...#...#...#....#....#...");
}

TEST_F(Painted, NumbersHaveAllTheirDigits) {
  painter.number(2, 2, 17, 1, kRed);
  EXPECT_EQ(red(4, 2), 255);   // the top of the 1
  EXPECT_EQ(red(8, 2), 255);   // the bar of the 7
  EXPECT_EQ(red(12, 2), 255);  // to its end
  EXPECT_EQ(red(13, 2), 0);
}

}  // namespace
}  // namespace tessera
