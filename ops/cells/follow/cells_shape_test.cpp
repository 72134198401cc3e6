// SPDX-License-Identifier: Apache-2.0
// Outlines of cells whose shape is known, and those that are doubtful.
#include "ops/cells/follow/cells_shape.cuh"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "ops/cells/cells_plain_parts.hpp"
#include "ops/cells/follow/cells_outline.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

constexpr int kSide = 96;

struct Ellipse {
  double x, y, longer, shorter, angle;

  bool has(double at_x, double at_y) const {
    const double dx = at_x - x, dy = at_y - y;
    const double along = dx * std::cos(angle) + dy * std::sin(angle);
    const double across = dy * std::cos(angle) - dx * std::sin(angle);
    return std::hypot(along / longer, across / shorter) <= 1;
  }
  double radius() const { return std::sqrt(longer * shorter); }
  double reach(double direction) const {
    const double turned = direction - angle;
    return longer * shorter / std::hypot(shorter * std::cos(turned), longer * std::sin(turned));
  }
};

/// A frame with one bright ellipse, as a film's frames are searched: sharp, then smoothed.
struct EllipseFrame {
  CellsProblem problem;
  PlainCellsParts<double> parts;
  GradientPlanes<double> planes;
  OutlineTables<double> tables = outline_tables<double>();
  Stream stream{kHost, 1};

  static CellsProblem small() {
    CellsProblem problem;
    problem.frame = {{kSide, kSide}, Type::f64, kHost};
    problem.crop = problem.entry = {0, 0, kSide, kSide};
    problem.radii = {6, 7, 8, 9, 10, 11, 12, 13, 14};
    return problem;
  }
  explicit EllipseFrame(const Ellipse& cell) : problem(small()), parts(problem) {
    constexpr int kFine = 8;  // parts of a pixel each way
    Image image({kSide, kSide}, Type::f64);
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x < kSide; ++x) {
        int inside = 0;
        for (int j = 0; j < kFine; ++j)
          for (int i = 0; i < kFine; ++i)
            inside += cell.has(x + (i + 0.5) / kFine - 0.5, y + (j + 0.5) / kFine - 0.5);
        image.as<double>().at(x, y) = 20.0 * inside / (kFine * kFine);
      }
    CellPlane<double> smooth;
    parts.smooth(std::as_const(image).view(), smooth, stream);
    planes.take(smooth, parts, stream);
  }

  OutlineMeasure<double> measure(double x, double y, double radius, float* radii) {
    CellSlot<double> slot{};
    slot.motion = {x, y, 0, 0, 0.1, 0, 0.1};
    slot.radius = radius;
    slot.slope = -1;
    slot.stage = CellStage::confirmed;
    OutlineWindow<double> window;
    return measure_outline(planes.view(problem), {slot}, 0, parts, tables, window, radii);
  }
};

double direction_of(int j) { return 2 * M_PI * j / kSnaxels; }

// Waves of n periods at direction j are those of one period at direction n j.
TEST(CellsShape, TermsAreWavesAroundTheCell) {
  const CirclePoints<double> points = outline_tables<double>().circle;
  for (int i = 0; i < kCirclePoints; ++i) {
    const double angle = 2 * M_PI * i / kCirclePoints;
    EXPECT_EQ(shape_wave(points, i, 0), 1);
    for (int periods = 2; periods <= 4; ++periods) {
      EXPECT_NEAR(shape_wave(points, i, 2 * periods - 3), std::cos(periods * angle), 1e-12);
      EXPECT_NEAR(shape_wave(points, i, 2 * periods - 2), std::sin(periods * angle), 1e-12);
    }
  }
}

TEST(CellsShape, OfACircleHasTheRadiusOfTheOutline) {
  const StarDirections<double> star = outline_tables<double>().star;
  for (int j = 0; j < kSnaxels; ++j)
    EXPECT_NEAR(shape_outline(CellShape<double>{{9}}, star, j), outline_radius(9.0), 1e-12);
}

// r = 10 + 2 cos 2a: at its tip r is 12 and r'' is -8, so the curvature is (12 + 8) / 144; at its
// side r is 8 and r'' 8, so it is 0.
TEST(CellsShape, MovesOutwardsWithTheCurvature) {
  const StarDirections<double> star = outline_tables<double>().star;
  const CellShape<double> shape{{10, 2}};
  const double half = kCells.ring_width * kCells.ring_width / 2;
  EXPECT_NEAR(shape_outline(shape, star, 0), 12 + half * 20 / 144, 1e-12);
  EXPECT_NEAR(shape_outline(shape, star, kSnaxels / 4), 8, 1e-12);
}

TEST(CellsShape, IsThatOfTheCell) {
  // Longer cells have waves of more than four periods, which are not measured.
  for (const auto& [longer, shorter, bound] :
       {std::array{9.0, 9.0, 0.12}, {11.0, 9.0, 0.15}, {12.0, 8.3, 0.3}, {10.0, 6.4, 0.4}})
    for (const double angle : {0.0, 0.4, 1.3, 2.5}) {
      const Ellipse cell{48.3, 47.6, longer, shorter, angle};
      std::array<float, kSnaxels> radii{};
      EllipseFrame frame(cell);
      EXPECT_TRUE(frame.measure(48.8, 47.2, cell.radius(), radii.data()).outlined);
      for (int j = 0; j < kSnaxels; ++j)
        EXPECT_NEAR(radii[static_cast<std::size_t>(j)], cell.reach(direction_of(j)), bound)
            << longer << " by " << shorter << " at " << angle << ", " << j;
    }
}

TEST(CellsShape, AtTheEdgeOfTheFrameIsDoubtful) {
  std::array<float, kSnaxels> radii{};
  EllipseFrame frame({5, 48, 9, 9, 0});
  EXPECT_FALSE(frame.measure(5, 48, 9, radii.data()).outlined);
}

TEST(CellsShape, ThatLeavesTheCellIsDoubtful) {
  EXPECT_TRUE(outline_is_clear(9.0, 9.0, 20.0, 20.0, 49, 49));
  EXPECT_FALSE(outline_is_clear(4.4, 9.0, 20.0, 20.0, 49, 49));
  EXPECT_FALSE(outline_is_clear(15.4, 9.0, 20.0, 20.0, 49, 49));
  EXPECT_FALSE(outline_is_clear(9.0, 9.0, -0.1, 20.0, 49, 49));
  EXPECT_FALSE(outline_is_clear(9.0, 9.0, 20.0, 48.1, 49, 49));
  EXPECT_FALSE(outline_is_clear(std::nan(""), 9.0, 20.0, 20.0, 49, 49));
}

// A spot has an outline only if the position is the measured one.
TEST(CellsShape, BelongsToTheMeasurementThatWasTaken) {
  CellSlot<double> slot{};
  slot.motion = motion_start(48.0, 48.0, 0.0, 0.0, 1.0);
  slot.radius = 9;
  slot.slope = -1;
  slot.trust = 3;
  slot.stage = CellStage::confirmed;
  const LifeRules<double> rules{kSide, kSide, 8, 0, 0, 5, 14, 10, 8};
  OutlineMeasure<double> found{48.2, 48.1, 9, -3, -1, -3, 0, 5, true};
  take_measure(slot, found, 20, rules);
  EXPECT_TRUE(slot.outlined);
  found.score = -0.1;
  take_measure(slot, found, 21, rules);
  EXPECT_FALSE(slot.outlined) << "not seen";
  found.score = -3;
  take_measure(slot, found, 22, rules);
  EXPECT_TRUE(slot.outlined);
  int tracks = 1;
  EXPECT_EQ(life_birth(&slot, 1, 22, tracks, {50.0, 50.0, 13.0, -5.0, -1.0}, rules), 0);
  EXPECT_FALSE(slot.outlined) << "moved to where detection found it";
}

}  // namespace
}  // namespace tessera
