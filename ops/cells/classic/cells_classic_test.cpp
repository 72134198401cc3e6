// SPDX-License-Identifier: Apache-2.0
// The classic model's steps against arithmetic by hand.
#include "ops/cells/classic/cells_classic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

namespace tessera {
namespace {

using Values = std::vector<double>;

ClassicPlane plane_of(int width, int height, const Values& samples) {
  ClassicPlane plane(width, height);
  plane.samples = samples;
  return plane;
}

TEST(CellsClassic, ReadsLevels) {
  std::vector<unsigned short> words{0, 257, 65535, 514};
  const CellsCrop part{1, 0, 1, 2};
  EXPECT_EQ(classic_plane(packed(words.data(), {2, 2}), 0, part).samples, (Values{1, 2}));
  std::vector<unsigned char> bytes{0, 7, 255, 9};
  EXPECT_EQ(classic_plane(packed(bytes.data(), {2, 2}), 0, part).samples, (Values{7, 9}));
  std::vector<float> reals{0, 1.5F, 0.5F, -1};
  EXPECT_EQ(classic_plane(packed(reals.data(), {2, 2}), 0, part).samples, (Values{1.5, -1}));
}

TEST(CellsClassic, GradientIsCentralAndOneSidedAtTheEnds) {
  const ClassicGradient g = classic_gradient(plane_of(4, 2, {1, 4, 9, 16, 2, 2, 2, 2}));
  EXPECT_EQ(g.x.samples, (Values{3, 4, 6, 7, 0, 0, 0, 0}));
  EXPECT_EQ(g.y.samples, (Values{1, -2, -7, -14, 1, -2, -7, -14}));
  EXPECT_EQ(classic_gradient(plane_of(1, 1, {5})).x.samples, Values{0});
}

TEST(CellsClassic, BilinearClampsTheIndexAndKeepsTheFraction) {
  const ClassicPlane p = plane_of(2, 2, {0, 10, 20, 40});
  EXPECT_EQ(classic_bilinear(p, 0.5, 0.5), 17.5);
  EXPECT_EQ(classic_bilinear(p, 1, 1), 40);
  EXPECT_EQ(classic_bilinear(p, -0.5, 0), -5);  // truncated toward zero: extrapolates
  EXPECT_EQ(classic_bilinear(p, 7.25, -3), 10);
  EXPECT_TRUE(std::isnan(classic_bilinear(p, std::nan(""), 0)));
}

TEST(CellsClassic, CirclesHaveThePublishedNumbersOfOffsets) {
  const std::array<std::size_t, kClassicCircles> published{51, 61, 77, 91, 107, 121, 123};
  for (std::size_t k = 0; k < published.size(); ++k) {
    const ClassicCircle& circle = classic_circles()[k];
    std::set<std::pair<int, int>> offsets;
    for (std::size_t n = 0; n < kClassicSamples; ++n) offsets.emplace(circle.x[n], circle.y[n]);
    EXPECT_EQ(offsets.size(), published[k]) << k;
  }
  // Half round is 3.14159, a little short of it: 8 cos is above -8 and is cut to -7.
  EXPECT_EQ(classic_circles()[0].x[0], 8);
  EXPECT_EQ(classic_circles()[0].x[75], -7);
}

/// Slope 1 along x: samples are cosines, whose mean over the circle is almost 0.
TEST(CellsClassic, GicovOfARampIsThatOfCosines) {
  ClassicPlane ramp(60, 50);
  for (int y = 0; y < 50; ++y)
    for (int x = 0; x < 60; ++x) ramp.at(x, y) = x;
  const ClassicPlane gicov = classic_gicov(classic_gradient(ramp), 1);
  double sum = 0, squares = 0;
  for (int n = 0; n < 150; ++n) sum += std::cos(n * 2 * 3.14159 / 150);
  for (int n = 0; n < 150; ++n) {
    const double deviation = std::cos(n * 2 * 3.14159 / 150) - sum / 150;
    squares += deviation * deviation;
  }
  const double expected = sum / 150 / std::sqrt(squares / 149);
  EXPECT_NE(expected, 0);
  for (int y = 0; y < 50; ++y)
    for (int x = 0; x < 60; ++x) {
      const bool is_centre = x >= 22 && x < 38 && y >= 22 && y < 28;
      EXPECT_DOUBLE_EQ(gicov.at(x, y), is_centre ? expected : 0) << x << ' ' << y;
    }
}

TEST(CellsClassic, FlatGroundHasNoScore) {
  const ClassicPlane gicov = classic_gicov(classic_gradient(ClassicPlane(60, 60)), 2);
  EXPECT_EQ(gicov.samples, Values(3600, 0));
}

TEST(CellsClassic, DiskHas441Pixels) { EXPECT_EQ(classic_disk().size(), 441U); }

TEST(CellsClassic, UniformPointsOfACircleUseTheFirstTwice) {
  const auto points = classic_uniform_points(classic_circle_contour(100, 50));
  EXPECT_EQ(points[0], 0);
  for (std::size_t i = 1; i < points.size(); ++i) EXPECT_EQ(points[i], static_cast<int>(i) - 1);
}

ClassicPlane scores_at(const std::vector<std::tuple<int, int, double>>& places) {
  ClassicPlane gicov(640, 219);
  for (const auto& [x, y, score] : places) gicov.at(x, y) = score;
  return gicov;
}

TEST(CellsClassic, CandidatesAreLargestOfTheirDisk) {
  const auto found = classic_candidates(scores_at({{100, 100, -2},
                                                   {112, 100, 3},    // 12 away: takes the first
                                                   {200, 100, 2},    // 2 and -2 are equal:
                                                   {205, 100, -2},   // both are kept
                                                   {300, 100, 1.8},  // not above the threshold
                                                   {400, 54, 2},  // with 3.14159 row 55 just passes
                                                   {450, 55, 2},
                                                   {500, 20, 2},  // too high
                                                   {14, 120, 2},  // left of 5
                                                   {15, 150, 2},
                                                   {624, 120, 2},
                                                   {625, 160, 2}}),  // right of 635
                                        {640, 480});
  std::vector<std::array<int, 2>> places;
  for (const ClassicCandidate& c : found) places.push_back({c.column, c.row});
  EXPECT_EQ(places, (std::vector<std::array<int, 2>>{
                        {450, 55}, {112, 100}, {200, 100}, {205, 100}, {624, 120}, {15, 150}}));
}

TEST(CellsClassic, SplineBasis) {
  const ClassicBasis& basis = classic_basis();
  EXPECT_DOUBLE_EQ(basis.value[0][8], 1.0 / 6);
  EXPECT_DOUBLE_EQ(basis.value[0][0], 4.0 / 6);
  EXPECT_DOUBLE_EQ(basis.value[0][1], 1.0 / 6);
  EXPECT_DOUBLE_EQ(basis.value[6][0], 1.0 / 48);  // the middle of the second segment
  EXPECT_DOUBLE_EQ(basis.value[6][1], 23.0 / 48);
  EXPECT_DOUBLE_EQ(basis.value[6][2], 23.0 / 48);
  EXPECT_DOUBLE_EQ(basis.value[6][3], 1.0 / 48);
  EXPECT_DOUBLE_EQ(basis.slope[0][8], -0.5);
  EXPECT_DOUBLE_EQ(basis.slope[0][1], 0.5);
  for (std::size_t i = 0; i < kClassicContour; ++i) {
    EXPECT_NEAR(std::accumulate(basis.value[i].begin(), basis.value[i].end(), 0.0), 1, 1e-15);
    EXPECT_NEAR(std::accumulate(basis.slope[i].begin(), basis.slope[i].end(), 0.0), 0, 1e-15);
  }
}

TEST(CellsClassic, FitGivesBackASpline) {
  const ClassicSpline spline{{1, 5, 9, 12, 9, 5, 1, -3, -2}, {0, -4, -3, 1, 6, 8, 7, 5, 2}};
  const ClassicSpline fitted = classic_fit(spline.contour());
  for (std::size_t c = 0; c < kClassicControls; ++c) {
    EXPECT_NEAR(fitted.x[c], spline.x[c], 1e-13);
    EXPECT_NEAR(fitted.y[c], spline.y[c], 1e-13);
  }
}

/// Without any gradient there is no force: the first control point only takes its neighbour's
/// place.
TEST(CellsClassic, RefinementPutsTheFirstControlPointOnTheSecond) {
  ClassicSpline spline = classic_fit(classic_circle_contour(30, 30));
  const ClassicSpline before = spline;
  classic_refine(spline, {ClassicPlane(60, 60), ClassicPlane(60, 60)}, true);
  EXPECT_EQ(spline.x[0], before.x[1]);
  EXPECT_EQ(spline.y[0], before.y[1]);
  for (std::size_t c = 1; c < kClassicControls; ++c) EXPECT_EQ(spline.x[c], before.x[c]);
}

/// The same gradient everywhere, (g, 0): forces of both offset curves in x add to (a - p) - (a + p)
/// a sample, and 2 qy in y.
TEST(CellsClassic, ForceOfAConstantGradient) {
  ClassicSpline spline = classic_fit(classic_circle_contour(30, 30));
  ClassicPlane one(60, 60);
  one.samples.assign(one.samples.size(), 1);
  double force_x = 0, force_y = 0;
  ClassicSpline moved = spline;
  for (int k = 0; k < 20; ++k) {
    force_x = force_y = 0;
    for (std::size_t i = 0; i < kClassicContour; ++i) {
      double xs = 0, ys = 0;
      for (std::size_t c = 0; c < kClassicControls; ++c) {
        xs += classic_basis().slope[i][c] * moved.x[c];
        ys += classic_basis().slope[i][c] * moved.y[c];
      }
      const double b = classic_basis().slope[i][0], length = std::hypot(xs, ys);
      force_x -= 2 * 3 * xs * ys * b / std::pow(length, 3);
      force_y += 2 * 3 * (b / length - ys * ys * b / std::pow(length, 3));
    }
    moved.x[0] = moved.x[1] - 0.02 * force_x;
    moved.y[0] = moved.y[1] - 0.02 * force_y;
  }
  EXPECT_NE(force_y, 0);
  classic_refine(spline, {one, ClassicPlane(60, 60)}, false);
  EXPECT_NEAR(spline.x[0], moved.x[0], 1e-12);
  EXPECT_NEAR(spline.y[0], moved.y[0], 1e-12);
}

TEST(CellsClassic, StepIsAnArcTangent) {
  EXPECT_EQ(classic_step(0), 0.5);
  EXPECT_DOUBLE_EQ(classic_step(1e-10), std::atan(1.0) / 3.14159 + 0.5);  // 0.75 and a little
  EXPECT_GT(classic_step(1), 1);                                          // 3.14159 is less than pi
  EXPECT_NEAR(classic_step(1), 1, 1e-6);
  EXPECT_NEAR(classic_step(-1), 0, 1e-6);
}

TEST(CellsClassic, EdgesAreNormalised) {
  const ClassicPlane i = classic_normalised(plane_of(3, 1, {2, 3, 6}));
  EXPECT_NEAR(i.samples[1], 0.25, 1e-15);
  EXPECT_EQ(i.samples[0], 0);
  EXPECT_EQ(classic_normalised(plane_of(2, 1, {4, 4})).samples, (Values{0, 0}));
}

/// One bright pixel in the middle of 3 x 3. With weights of exactly 0, 1/2 and 1: the pixel itself
/// takes nothing from below it, right of it and beyond, where it is lower there, all of it from up
/// and left, and half across; those up and left of it take all of the difference, those across
/// half, those down and right nothing.
TEST(CellsClassic, OneIterationOfTheField) {
  const ClassicPlane edges = plane_of(3, 3, {0, 0, 0, 0, 1, 0, 0, 0, 0});
  ClassicPlane f = edges;
  const double change = classic_mgvf_iteration(edges, f);
  const double middle = 1 - 0.1 * 4;  // up, left and up-left are lower: 1 each; across 1/2 each
  const Values expected{0.1,  0.1,
                        0.05,  //
                        0.1,  middle - 0.2 * (middle - 1),
                        0,    0.05,
                        0,    0};
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_NEAR(f.samples[k], expected[k], 1e-6) << k;
  EXPECT_NEAR(change, (0.4 + 0.32) / 9, 1e-6);
}

TEST(CellsClassic, FieldOfNothingStopsAtOnce) {
  const ClassicField field = classic_mgvf(ClassicPlane(5, 4));
  EXPECT_EQ(field.iterations, 1);
  EXPECT_EQ(field.potential.samples, Values(20, 0));
}

/// A potential that rises with x: every direction is (1, 0), so that x moves by 0.2 * 20 / L, y is
/// drawn to where it is expected.
TEST(CellsClassic, StarFollowsARamp) {
  ClassicPlane ramp(81, 41);
  for (int y = 0; y < 41; ++y)
    for (int x = 0; x < 81; ++x) ramp.at(x, y) = 0.001 * x;
  ClassicStar star{40, 20, {}};
  star.radii.fill(10);
  const int iterations = classic_settle(ramp, 20.5, star);
  EXPECT_GE(iterations, 1);
  double x = 40, y = 20;
  Values radii(20, 10);
  for (int k = 0; k < iterations; ++k) {
    Values px, py;
    for (std::size_t j = 0; j < 20; ++j) {
      px.push_back(x + radii[j] * std::cos(static_cast<double>(j) * 2 * 3.14159 / 20));
      py.push_back(y + radii[j] * std::sin(static_cast<double>(j) * 2 * 3.14159 / 20));
    }
    double length = 0, level = 0;
    for (std::size_t j = 0; j < 20; ++j) {
      length += std::hypot(px[j] - px[(j + 19) % 20], py[j] - py[(j + 19) % 20]);
      level += 0.001 * px[j];
    }
    for (std::size_t j = 0; j < 20; ++j)
      radii[j] =
          (radii[j] + 0.2 * (0.001 * px[j] + (px[j] - x) - level / length) / length + 0.4) / 1.04;
    x += 0.2 * 20 / length;
    y = (y + 0.01 * 20.5) / 1.01;
  }
  EXPECT_NEAR(star.x, x, 1e-11);
  EXPECT_NEAR(star.y, y, 1e-11);
  for (std::size_t j = 0; j < 20; ++j) EXPECT_NEAR(star.radii[j], radii[j], 1e-11) << j;
}

TEST(CellsClassic, StarThatTouchesTheEdgeStaysWhereItIs) {
  ClassicStar star{9.5, 20, {}};
  star.radii.fill(10);
  EXPECT_EQ(classic_settle(ClassicPlane(81, 41), 20, star), 0);
  EXPECT_EQ(star.x, 9.5);
}

TEST(CellsClassic, FlatPotentialLosesTheStar) {
  ClassicStar star{40, 20, {}};
  star.radii.fill(10);
  EXPECT_EQ(classic_settle(ClassicPlane(81, 41), 20, star), 1);
  EXPECT_TRUE(std::isnan(star.x) && std::isnan(star.y));
}

TEST(CellsClassic, WindowIsARowTooLow) {
  const CellsCrop middle = classic_window({640, 480}, 100, 200);
  EXPECT_EQ(middle.x, 60);
  EXPECT_EQ(middle.y, 181);
  EXPECT_EQ(middle.width, 81);
  EXPECT_EQ(middle.height, 41);
  const CellsCrop corner = classic_window({640, 480}, 630.7, 3);
  EXPECT_EQ(corner.x, 591);
  EXPECT_EQ(corner.width, 49);
  EXPECT_EQ(corner.y, 0);
  EXPECT_EQ(corner.height, 25);
  const CellsCrop outside = classic_window({30, 20}, -90, 400);
  EXPECT_EQ(outside.x + outside.width, 1);
  EXPECT_EQ(outside.y, 19);
  EXPECT_EQ(outside.height, 1);
}

}  // namespace
}  // namespace tessera
