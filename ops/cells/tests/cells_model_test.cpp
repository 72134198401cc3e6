// SPDX-License-Identifier: Apache-2.0
// The corrected model's small arithmetic against arithmetic by hand and ideal discs.
#include "ops/cells/cells_model.cuh"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "ops/cells/cells_plain_parts.hpp"
#include "ops/cells/detect/cells_detect.hpp"

namespace tessera {
namespace {

CellsProblem problem_of(int width, int height, std::optional<double> flow = {}) {
  CellsProblem problem;
  problem.frame = {{width, height}, Type::f64, kHost};
  problem.options.flow = flow;
  problem.crop = problem.entry = {0, 0, width, height};
  for (double radius = 6; radius <= 14; ++radius) problem.radii.push_back(radius);
  problem.threshold = kCells.threshold;
  return problem;
}

/// A bright disc whose edge is a Gaussian's integral: what smoothing makes of a sharp one.
std::vector<double> disc(int width, int height, double x, double y, double radius, double height_) {
  std::vector<double> image;
  for (int j = 0; j < height; ++j)
    for (int i = 0; i < width; ++i)
      image.push_back(height_ / 2 * std::erfc((std::hypot(i - x, j - y) - radius) / 3.0));
  return image;
}

TEST(CellsModel, MgvfSidesFollowTheFlow) {
  const MgvfFlow still = mgvf_flow(0, 0), right = mgvf_flow(1, 0), both = mgvf_flow(1, 1);
  const std::vector<int> sides_right{-1, 0, 1, -1, 1, -1, 0, 1};
  const std::vector<int> sides_both{-1, -1, 0, -1, 1, 0, 1, 1};
  for (int n = 0; n < kMgvfNeighbours; ++n) {
    EXPECT_EQ(still.side[n], 0);
    EXPECT_EQ(right.side[n], sides_right[static_cast<size_t>(n)]) << n;
    EXPECT_EQ(both.side[n], sides_both[static_cast<size_t>(n)]) << n;
  }
}

TEST(CellsModel, MgvfTermsAreTheExactStep) {
  EXPECT_EQ(mgvf_term(3.0, 1), 3.0);
  EXPECT_EQ(mgvf_term(-3.0, 1), 0.0);
  EXPECT_EQ(mgvf_term(3.0, -1), 0.0);
  EXPECT_EQ(mgvf_term(-3.0, -1), -3.0);
  EXPECT_EQ(mgvf_term(-3.0, 0), -1.5);
}

TEST(CellsModel, MgvfOfThreeByThreeByHand) {
  // One edge of 1 in the middle; without flow, one iteration gives the middle
  // F1 = 1 + 0.1 * 8 * (-1/2) = 0.6, then 0.6 - 0.2 (0.6 - 1) = 0.68; a side's or corner's only
  // neighbour that differs is the middle: 0 + 0.1 / 2 = 0.05.
  const PlainCellsParts<double> parts(problem_of(64, 64));
  const std::vector<double> edge{0, 0, 0, 0, 1, 0, 0, 0, 0};
  std::vector<double> expected = edge, field(9);
  for (int i = 0; i < kCells.mgvf_iterations; ++i) {
    std::vector<double> next(9);
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 3; ++x) {
        double sum = 0;
        for (int dy = -1; dy <= 1; ++dy)
          for (int dx = -1; dx <= 1; ++dx)
            sum += (expected[static_cast<size_t>(std::clamp(y + dy, 0, 2) * 3 +
                                                 std::clamp(x + dx, 0, 2))] -
                    expected[static_cast<size_t>(y * 3 + x)]) /
                   2;
        const auto p = static_cast<size_t>(y * 3 + x);
        const double spread = expected[p] + 0.1 * sum;
        next[p] = spread - 0.2 * edge[p] * (spread - edge[p]);
      }
    if (i == 0) {
      EXPECT_NEAR(next[4], 0.68, 1e-15);
      EXPECT_NEAR(next[0], 0.05, 1e-15);
      EXPECT_NEAR(next[1], 0.05, 1e-15);
    }
    expected = next;
  }
  parts.mgvf(edge.data(), 3, 3, field.data());
  for (size_t i = 0; i < 9; ++i) EXPECT_NEAR(field[i], expected[i], 1e-12) << i;
}

TEST(CellsModel, ScoreByHand) {
  // 1, 2, 3: mean 2, variance 1.
  EXPECT_DOUBLE_EQ(circle_score(6.0, 14.0, 3, 0.0), 2.0);
  EXPECT_DOUBLE_EQ(circle_score(6.0, 14.0, 3, 3.0), 1.0);
  EXPECT_DOUBLE_EQ(circle_score(-6.0, 14.0, 3, 0.0), -2.0);
  EXPECT_EQ(circle_score(6.0, 12.0, 3, 0.0), 0.0);  // they do not vary
}

TEST(CellsModel, WindowsStayInside) {
  const int side = 2 * kCells.window + 1;
  const CellWindow middle = cell_window(100.9, 200.2, 640, 480);
  EXPECT_EQ(middle.x, 100 - kCells.window);
  EXPECT_EQ(middle.y, 200 - kCells.window);
  EXPECT_EQ(middle.width, side);
  const CellWindow corner = cell_window(2.0, 479.0, 640, 480);
  EXPECT_EQ(corner.x, 0);
  EXPECT_EQ(corner.y, 480 - side);
  const CellWindow small = cell_window(5.0, 5.0, 20, 480);
  EXPECT_EQ(small.x, 0);
  EXPECT_EQ(small.width, 20);
}

TEST(CellsModel, CirclesKeepAllPoints) {
  const CellCircle circle = cell_circle(8, 150);
  double cosines = 0, sines = 0, squares = 0;
  for (const CirclePixel& p : circle.pixels) {
    EXPECT_NEAR(std::hypot(p.dx, p.dy), 8, 0.75);
    cosines += p.cosine;
    sines += p.sine;
    squares += p.cosine_cosine + p.sine_sine;
  }
  EXPECT_LT(circle.pixels.size(), 150U);
  EXPECT_NEAR(cosines, 0, 1e-12);
  EXPECT_NEAR(sines, 0, 1e-12);
  EXPECT_NEAR(squares, 150, 1e-12);
}

TEST(CellsSpline, CircleHasItsRadius) {
  const auto basis = spline_basis<double>();
  const CellSpline<double> spline = spline_circle(30.0, 20.0, 10.0);
  for (int i = 0; i < kSplineSamples; ++i) {
    const SplinePoint<double> p = spline_point(spline, basis, i);
    EXPECT_NEAR(std::hypot(p.x - 30, p.y - 20), 10, 0.01) << i;
    EXPECT_NEAR(p.dx * (p.x - 30) + p.dy * (p.y - 20), 0, 0.25) << i;
  }
}

/// A disc as a frame's gradients.
struct DiscFrame {
  CellsProblem problem;
  PlainCellsParts<double> parts;
  GradientPlanes<double> planes;
  OutlineTables<double> tables = outline_tables<double>();
  Stream stream{kHost, 1};

  DiscFrame(double x, double y, double radius, double height)
      : problem(problem_of(96, 96)), parts(problem) {
    planes.take(disc(96, 96, x, y, radius, height), parts, stream);
  }
};

TEST(CellsSpline, SettlesOnADiscFromBesideIt) {
  DiscFrame frame(48.3, 47.6, 9, 20);
  CellFind<double> find{49.5, 46.8, 8, -3, 0};
  ASSERT_TRUE(settle_contour(
      SplineImage<double>{frame.planes.across.data(), frame.planes.down.data(), 96, 96},
      frame.tables.circle, frame.planes.floor, contour_rules<double>(frame.problem), find));
  EXPECT_NEAR(find.x, 48.3, 0.05);
  EXPECT_NEAR(find.y, 47.6, 0.05);
  EXPECT_NEAR(find.radius, 9, 0.3);
  EXPECT_LT(find.score, 0);
}

TEST(CellsDetect, FindsADiscAndOnlyIt) {
  for (const double height : {20.0, -20.0}) {
    DiscFrame frame(48.3, 47.6, 9, height);
    const auto finds = find_cells(frame.planes, frame.problem.crop, frame.problem, frame.parts,
                                  frame.tables, frame.stream);
    ASSERT_EQ(finds.size(), 1U);
    EXPECT_NEAR(finds[0].x, 48.3, 0.05);
    EXPECT_NEAR(finds[0].y, 47.6, 0.05);
    EXPECT_EQ(finds[0].score<0, height> 0);
  }
}

TEST(CellsDetect, ScalesAndOffsetsDoNotMatter) {
  std::vector<double> image = disc(96, 96, 48.3, 47.6, 9, 20);
  DiscFrame frame(48.3, 47.6, 9, 20);
  const auto finds = find_cells(frame.planes, frame.problem.crop, frame.problem, frame.parts,
                                frame.tables, frame.stream);
  for (double& v : image) v = 1000 * v + 5000;
  GradientPlanes<double> scaled;
  scaled.take(image, frame.parts, frame.stream);
  const auto same = find_cells(scaled, frame.problem.crop, frame.problem, frame.parts, frame.tables,
                               frame.stream);
  ASSERT_EQ(same.size(), finds.size());
  EXPECT_NEAR(same[0].x, finds[0].x, 1e-9);
  EXPECT_NEAR(same[0].score, finds[0].score, 1e-9);
}

TEST(CellsOutline, StarAndCircleSettleOnADisc) {
  DiscFrame frame(48.3, 47.6, 9, 20);
  for (const auto& [dx, dy] : {std::pair{0.0, 0.0}, {2.0, -1.0}, {-1.5, 2.5}}) {
    CellSlot<double> slot{};
    slot.motion = {48.3 + dx, 47.6 + dy, 0, 0, 0.1, 0, 0.1};
    slot.radius = 9;
    slot.slope = -1;
    slot.stage = CellStage::confirmed;
    OutlineWindow<double> window;
    float radii[kSnaxels];
    const OutlineMeasure<double> found = measure_outline(
        frame.planes.view(frame.problem), {slot}, 0, frame.parts, frame.tables, window, radii);
    EXPECT_NEAR(found.x, 48.3, 0.05) << dx;
    EXPECT_NEAR(found.y, 47.6, 0.05) << dx;
    EXPECT_NEAR(found.radius, 9, 0.3) << dx;
    EXPECT_LT(found.score, -2) << dx;
    EXPECT_LE(found.iterations, kCells.snake_iterations);
  }
}

TEST(CellsOutline, AnotherCellIsTakenOut) {
  // Two discs that overlap by half: with the other's outline taken out the cell is where it is.
  std::vector<double> image = disc(96, 96, 44, 48, 9, 12), other = disc(96, 96, 53, 48, 9, 18);
  for (size_t i = 0; i < image.size(); ++i) image[i] += other[i];
  DiscFrame frame(0, 0, 9, 0);
  frame.planes.take(image, frame.parts, frame.stream);
  const auto slope_of = [](double height) { return -height / (3 * std::sqrt(M_PI)); };
  std::vector<CellSlot<double>> slots(2);
  for (size_t i = 0; i < 2; ++i) {
    slots[i].motion = {i == 0 ? 44.0 : 53.0, 48, 0, 0, 0.1, 0, 0.1};
    slots[i].radius = 9;
    slots[i].slope = slope_of(i == 0 ? 12 : 18);
    slots[i].track = static_cast<int>(i) + 1;
    slots[i].stage = CellStage::confirmed;
  }
  OutlineWindow<double> window;
  float radii[kSnaxels];
  const OutlineMeasure<double> found = measure_outline(frame.planes.view(frame.problem), slots, 0,
                                                       frame.parts, frame.tables, window, radii);
  EXPECT_NEAR(found.x, 44, 0.5);
  EXPECT_NEAR(found.y, 48, 0.2);
}

}  // namespace
}  // namespace tessera
