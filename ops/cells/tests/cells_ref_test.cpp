// SPDX-License-Identifier: Apache-2.0
// The reference on a small film whose cells anybody sees, and the scene it takes away.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "ops/cells/cells_model.cuh"
#include "ops/cells/cells_plain_parts.hpp"
#include "ops/cells/cells_problem.hpp"
#include "ops/cells/scene/cells_still_scene.hpp"
#include "tessera/image.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

constexpr int kWidth = 208, kHeight = 128, kFrames = 90;

struct Cell {
  double x, y, speed, radius, height;
  double at(int frame) const { return x + speed * frame; }
};
const std::vector<Cell> kDiscsThere{
    {30, 36, 1.7, 8, 30}, {60, 90, 1.0, 10, 25}, {80, 62, 1.2, 7, -30}};

/// A ground of waves that drifts, cells, noise.
Image frame_of(int frame, std::mt19937& engine) {
  Image image({kWidth, kHeight}, Type::u8);
  std::normal_distribution<double> noise(0, 3);
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const double sx = x - 0.1 * frame, sy = y + 0.05 * frame;
      double value = 120 + 6 * std::sin(sx / 4) * std::cos(sy / 5) + 5 * std::sin(sx / 9 + sy / 6) +
                     5 * std::sin(sx / 6.3 - sy / 4.1) + 4 * std::cos(sx / 17 + sy / 3.7);
      for (const Cell& c : kDiscsThere)
        value += c.height / 2 * std::erfc((std::hypot(x - c.at(frame), y - c.y) - c.radius) / 1.4);
      image.as<unsigned char>().at(x, y) =
          static_cast<unsigned char>(std::lround(std::clamp(value + noise(engine), 0.0, 255.0)));
    }
  return image;
}

CellsProblem small_problem() {
  CellsProblem problem;
  problem.frame = {{kWidth, kHeight}, Type::u8, kHost};
  problem.crop = problem.entry = {0, 0, kWidth, kHeight};
  for (double radius = 6; radius <= 12; ++radius) problem.radii.push_back(radius);
  problem.options.samples = 60;
  problem.threshold = kCells.threshold;
  return problem;
}

TEST(CellsReference, FollowsAllCellsOfAnEasyFilm) {
  const CellsRunnerPointer runner = make_cells_reference(small_problem());
  Stream stream(kHost, 2);
  auto work = runner->start(1);
  std::mt19937 engine(5);
  for (int frame = 0; frame < kFrames; ++frame)
    runner->add(*work, testing::short_view(frame_of(frame, engine)), stream);
  EXPECT_EQ(runner->frames_done(*work), 0) << "frames wait for those after them";
  runner->finish(*work, stream);
  EXPECT_EQ(runner->frames_done(*work), kFrames);
  const std::vector<CellTrack> tracks = runner->tracks(*work, 0);
  ASSERT_EQ(tracks.size(), kDiscsThere.size());
  for (const Cell& cell : kDiscsThere) {
    const CellTrack* best = nullptr;
    for (const CellTrack& track : tracks)
      if (std::hypot(track.spots.front().x - cell.at(track.spots.front().frame),
                     track.spots.front().y - cell.y) < 3)
        best = &track;
    ASSERT_NE(best, nullptr) << cell.x;
    EXPECT_EQ(best->spots.back().frame, kFrames - 1);
    for (const CellSpot& spot : best->spots) {
      if (spot.frame < best->spots.front().frame + 5) continue;  // its velocity was not known
      EXPECT_NEAR(spot.x, cell.at(spot.frame), 0.5) << spot.frame;
      EXPECT_NEAR(spot.y, cell.y, 0.5) << spot.frame;
      EXPECT_EQ(spot.score<0, cell.height> 0);
    }
    EXPECT_NEAR(best->spots.back().radius, cell.radius, 0.7);
  }
}

TEST(CellsScene, KnowsTheDrift) {
  const CellsProblem problem = small_problem();
  const PlainCellsParts<double> parts(problem);
  CellsScene<double> scene(problem, parts);
  Stream stream(kHost, 1);
  std::mt19937 engine(7);
  CellDrift drift;
  for (int frame = 0; frame < kFrames; ++frame) {
    CellPlane<double> smooth;
    parts.smooth(testing::short_view(frame_of(frame, engine)), smooth, stream);
    drift = scene.add(smooth, stream);
  }
  EXPECT_NEAR(drift.x, 0.1 * (kFrames - 1), 0.3);
  EXPECT_NEAR(drift.y, -0.05 * (kFrames - 1), 0.3);
}

}  // namespace
}  // namespace tessera
