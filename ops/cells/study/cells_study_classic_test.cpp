// SPDX-License-Identifier: Apache-2.0
// The published program is implemented twice, for the study and as the product's classic model:
// both must give exactly the same numbers.
#include <gtest/gtest.h>

#include "ops/cells/study/cells_case.hpp"
#include "ops/cells/study/track_args.cuh"
#include "tessera/cells_steps.hpp"

namespace tessera {
namespace {

const CellsCase& problem() {
  static const CellsCase made(made_film(400, 260, 60, 170, 6, kFramesADetection));
  return made;
}

const CellsClassicSteps& classic() {
  static const CellsClassicSteps made =
      cells_classic_steps(problem().film().frames.view(), "0,60,400x170");
  return made;
}

TEST(CellsStudyIsClassic, Scores) {
  const auto gicov = classic().gicov.as<double>();
  const std::vector<double>& ours = problem().true_detected().gicov;
  for (int y = 0; y < problem().crop_height(); ++y)
    for (int x = 0; x < problem().width(); ++x)
      ASSERT_NEAR(ours[y * problem().width() + x], gicov.at(x, y), 1e-12) << x << ", " << y;
}

TEST(CellsStudyIsClassic, Detections) {
  const std::vector<FoundCell>& ours = problem().true_detected().cells;
  ASSERT_EQ(ours.size(), classic().cells.size());
  ASSERT_GE(ours.size(), 3U);
  for (std::size_t k = 0; k < ours.size(); ++k) {
    const CellsClassicSteps::Cell& theirs = classic().cells[k];
    EXPECT_EQ(ours[k].column, theirs.column);
    EXPECT_EQ(ours[k].row, theirs.row);
    EXPECT_NEAR(ours[k].score, theirs.score, 1e-12);
    EXPECT_NEAR(ours[k].x, theirs.spots[0].x, 1e-9);
    EXPECT_NEAR(ours[k].y, theirs.spots[0].y, 1e-9);
  }
}

/// From the positions of the classic model, ten frames on.
TEST(CellsStudyIsClassic, Tracks) {
  std::vector<StarCell> cells;
  for (const CellsClassicSteps::Cell& cell : classic().cells) {
    StarCell star{cell.spots[0].x, cell.spots[0].y, 0};
    star.radii.fill(10);
    cells.push_back(star);
  }
  std::vector<double> sums(cells.size());
  for (int frame = 1; frame < kFramesADetection; ++frame) {
    for (std::size_t k = 0; k < cells.size(); ++k)
      cells[k].expected_y = (sums[k] += cells[k].y) / frame;
    Tracked made;
    track_by_cells(problem().frame(frame, cells), 2, made);
    for (std::size_t k = 0; k < cells.size(); ++k) {
      const CellsClassicSteps::Spot& theirs = classic().cells[k].spots[frame];
      EXPECT_EQ(made.mgvf_steps[k], theirs.field_iterations) << k << " in " << frame;
      EXPECT_EQ(made.star_steps[k], theirs.snake_iterations) << k << " in " << frame;
      EXPECT_NEAR(made.cells[k].x, theirs.x, 1e-9) << k << " in " << frame;
      EXPECT_NEAR(made.cells[k].y, theirs.y, 1e-9) << k << " in " << frame;
    }
    cells = made.cells;
  }
}

}  // namespace
}  // namespace tessera
