// SPDX-License-Identifier: Apache-2.0
// Areas, perimeters and axes of polygons that are computed by hand.
#include "jobs/cells/polygon.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "jobs/cells/cell_outline.hpp"

namespace tessera::testing {
namespace {

Polygon turned(Polygon corners, double angle, double x, double y) {
  for (PolygonPoint& p : corners)
    p = {x + p.x * std::cos(angle) - p.y * std::sin(angle),
         y + p.x * std::sin(angle) + p.y * std::cos(angle)};
  return corners;
}

Polygon ellipse(double a, double b, int corners) {
  Polygon polygon;
  for (int k = 0; k < corners; ++k)
    polygon.push_back({a * std::cos(2 * M_PI * k / corners), b * std::sin(2 * M_PI * k / corners)});
  return polygon;
}

TEST(Polygon, ShapeDoesNotDependOnPlaceTurnOrDirection) {
  const Polygon rectangle{{-3, -1.5}, {3, -1.5}, {3, 1.5}, {-3, 1.5}};
  const Polygon backwards(rectangle.rbegin(), rectangle.rend());
  for (const Polygon& polygon :
       {rectangle, backwards, turned(rectangle, 0.7, 5000, -300), turned(backwards, 2, 1, 1)}) {
    const PolygonShape shape = shape_of(polygon);
    EXPECT_NEAR(shape.area, 18, 1e-9);
    EXPECT_NEAR(shape.perimeter, 18, 1e-9);
    EXPECT_NEAR(shape.elongation, 2, 1e-9);  // variances 6^2 / 12 and 3^2 / 12
  }
}

TEST(Polygon, SquareAndTriangle) {
  const PolygonShape square = shape_of(Polygon{{0, 0}, {4, 0}, {4, 4}, {0, 4}});
  EXPECT_NEAR(square.area, 16, 1e-12);
  EXPECT_NEAR(square.perimeter, 16, 1e-12);
  EXPECT_NEAR(square.elongation, 1, 1e-7);  // the root of a difference that rounds
  const PolygonShape triangle = shape_of(Polygon{{0, 0}, {3, 0}, {0, 4}});
  EXPECT_NEAR(triangle.area, 6, 1e-12);
  EXPECT_NEAR(triangle.perimeter, 12, 1e-12);
  // Variances of a triangle: 9/18, 16/18, covariance -12/36.
  const double apart = std::hypot((9.0 - 16) / 36, -12.0 / 36), middle = 25.0 / 36;
  EXPECT_NEAR(triangle.elongation, std::sqrt((middle + apart) / (middle - apart)), 1e-9);
}

TEST(Polygon, EllipseHasTheRatioOfItsAxes) {
  const PolygonShape shape = shape_of(turned(ellipse(12, 8, 1000), 0.3, 100, 50));
  EXPECT_NEAR(shape.area, M_PI * 96, 0.01);
  EXPECT_NEAR(shape.elongation, 1.5, 1e-9);  // any stretched regular polygon has it
}

TEST(Polygon, WithoutAreaHasNoElongation) {
  EXPECT_TRUE(std::isnan(shape_of(Polygon{}).elongation));
  EXPECT_TRUE(std::isnan(shape_of(Polygon{{1, 1}}).elongation));
  const PolygonShape line = shape_of(Polygon{{0, 0}, {4, 0}});
  EXPECT_EQ(line.area, 0);
  EXPECT_EQ(line.perimeter, 8);
  EXPECT_TRUE(std::isnan(line.elongation));
}

TEST(Polygon, InsideIsTheEvenOddRule) {
  const Polygon square{{0, 0}, {4, 0}, {4, 4}, {0, 4}};
  EXPECT_TRUE(is_inside(square, 2, 2));
  EXPECT_FALSE(is_inside(square, 5, 2));
  EXPECT_FALSE(is_inside(square, -1, 2));
  EXPECT_FALSE(is_inside(square, 2, -1));
  // Squares side by side: a point on the common side belongs to one of them.
  const Polygon next{{4, 0}, {8, 0}, {8, 4}, {4, 4}};
  EXPECT_NE(is_inside(square, 4, 2), is_inside(next, 4, 2));
  // A bow tie that crosses itself at (2, 2), and a line walked twice.
  const Polygon bow{{0, 0}, {4, 4}, {4, 0}, {0, 4}};
  EXPECT_TRUE(is_inside(bow, 0.5, 2));
  EXPECT_TRUE(is_inside(bow, 3.5, 2));
  EXPECT_FALSE(is_inside(bow, 2, 0.5));
  // The middle of a five-pointed star is walked around twice.
  Polygon star;
  for (int k = 0; k < 5; ++k)
    star.push_back({std::sin(4 * M_PI * k / 5), -std::cos(4 * M_PI * k / 5)});
  EXPECT_FALSE(is_inside(star, 0, 0));
  EXPECT_TRUE(is_inside(star, 0, -0.7));
}

TEST(Polygon, SpansAreThePixelsInside) {
  const Polygon polygons[] = {
      {{-3.5, 2}, {12.25, 4.5}, {3, 9}}, {{0, 0}, {4, 4}, {4, 0}, {0, 4}},
      {{1, 1}, {1, 6}, {6, 6}, {6, 1}},  {{-100, -100}, {100, -100}, {100, 100}, {-100, 100}},
      {{30, 30}, {40, 30}, {40, 40}},    turned(ellipse(5.3, 2.1, 20), 0.6, 5.2, 4.9)};
  const Size frame{11, 10};
  for (const Polygon& polygon : polygons) {
    std::vector<int> filled(110);
    for_each_span(polygon, frame, [&](int y, int first, int last) {
      for (int x = first; x <= last; ++x) ++filled.at(static_cast<std::size_t>(11 * y + x));
    });
    for (int y = 0; y < 10; ++y)
      for (int x = 0; x < 11; ++x)
        EXPECT_EQ(filled[static_cast<std::size_t>(11 * y + x)], is_inside(polygon, x, y))
            << polygon[0].x << ": " << x << ", " << y;
  }
}

TEST(CellOutline, OfACircleIsAPolygonOfTwentyCorners) {
  CellSpot spot{.x = 50, .y = 60};
  spot.outline.fill(10);
  const auto corners = outline_of(spot);
  EXPECT_NEAR(corners[0].x, 10, 1e-12);
  EXPECT_NEAR(corners[5].y, 10, 1e-12) << "a quarter turn is downwards";
  EXPECT_NEAR(corners[10].x, -10, 1e-12);
  const PolygonShape shape = shape_of(spot);
  EXPECT_NEAR(shape.area, 1000 * std::sin(M_PI / 10), 1e-9);
  EXPECT_NEAR(shape.perimeter, 400 * std::sin(M_PI / 20), 1e-9);
  EXPECT_NEAR(shape.elongation, 1, 1e-6);
}

// r = 10 + 2 cos 2a has the area pi (10^2 + 2^2 / 2) and, integrated by angle, the variances
// of x and y below. A polygon of 20 corners is smaller by 2%.
TEST(CellOutline, OfAnEllipseLikeStarIsLongerThanWide) {
  CellSpot spot{};
  double across = 0, down = 0;
  constexpr int kSteps = 3600;
  for (int k = 0; k < kSteps; ++k) {
    const double angle = 2 * M_PI * k / kSteps, r = 10 + 2 * std::cos(2 * angle);
    across += std::pow(r, 4) * std::pow(std::cos(angle), 2);
    down += std::pow(r, 4) * std::pow(std::sin(angle), 2);
  }
  for (std::size_t j = 0; j < spot.outline.size(); ++j)
    spot.outline[j] =
        static_cast<float>(10 + 2 * std::cos(4 * M_PI * static_cast<double>(j) / kCellDirections));
  const PolygonShape shape = shape_of(spot);
  EXPECT_NEAR(shape.area, M_PI * 102, 0.03 * M_PI * 102);
  EXPECT_NEAR(shape.elongation, std::sqrt(across / down), 0.02);
}

TEST(CellOutline, MissingGivesNoNumbers) {
  const PolygonShape shape = shape_of(CellSpot{});
  EXPECT_TRUE(std::isnan(shape.area));
  EXPECT_TRUE(std::isnan(shape.perimeter));
  EXPECT_TRUE(std::isnan(shape.elongation));
}

}  // namespace
}  // namespace tessera::testing
