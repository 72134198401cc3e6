// SPDX-License-Identifier: Apache-2.0
// Images of the user in the study.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ops/cells/study/cells_study.hpp"
#include "tests/support/files.hpp"
#include "tests/support/study_images.hpp"
#include "tests/support/text_has.hpp"

namespace tessera {
namespace {

using testing::expect_error;
using testing::has;
using testing::study_pattern;
using testing::with_image;

TEST(CellsImage, CellsTakeAFilm) {
  const StudyFilm film = made_film(200, 170, 0, 170, 4, 12);
  const StudyResult result = run_cells_study(
      with_image(film.frames, {.rungs = "detect.plain,track.plain,detect.ours,track.ours"}), {});
  EXPECT_TRUE(has(result.tables, "cells: mine.png, frames of 200x170")) << result.tables;
  EXPECT_EQ(result.rows.size(), 6U);
  for (const StudyRow& row : result.rows) EXPECT_TRUE(row.ms) << row.rung << row.absent;
}

TEST(CellsImage, CellsRefuseOthersInOneSentence) {
  const auto expect_refused = [](const Image& image, const char* part) {
    expect_error([&] { run_cells_study(with_image(image), {}); }, ErrorKind::input, part);
  };
  expect_refused(study_pattern({200, 200}, Type::u8), "takes films of 10 u8 frames or more");
  expect_refused(study_pattern({200, 200, 3, 10}, Type::u8), "3 channels");
  expect_refused(study_pattern({200, 100, 1, 10}, Type::u8), "with sides from 160");
  expect_refused(Image({200, 160, 1, 10}, Type::u8), "finds no cell");
}

TEST(CellsImage, CellsOfAFilmAreThoseThatStayInside) {
  StudyFilm made = made_film(200, 170, 0, 170, 4, 12);
  ASSERT_FALSE(made.cells.empty());
  const StudyFilm film = film_of_frames(made.frames.view(), 36);
  ASSERT_FALSE(film.cells.empty());
  for (const StudyFilm::Cell& right : made.cells)
    EXPECT_TRUE(std::ranges::any_of(film.cells,
                                    [&](const StudyFilm::Cell& cell) {
                                      return std::hypot(cell.x - right.x, cell.y - right.y) < 3;
                                    }))
        << right.x << ", " << right.y;
  for (const StudyFilm::Cell& cell : film.cells)
    EXPECT_NO_THROW(whole_window(CellsCase(film).next_frame(), started_cell(cell)));
  EXPECT_EQ(film_of_frames(made.frames.view(), 1).cells.size(), 1U);
  CellsCase problem(film_of_frames(made.frames.view(), 36));
  Stream stream;
  const PreparedRung ours{.truth = truth_of(CellsStage::detect, true)};
  problem.found() = problem.reference_found();
  ASSERT_FALSE(problem.found().empty());
  EXPECT_EQ(problem.disagreement(ours, stream), "");
  problem.found()[0].x += 3;
  EXPECT_TRUE(has(problem.disagreement(ours, stream), "of the reference's"));
  problem.found() = problem.reference_found();
  problem.found().push_back({.x = 5, .y = 5, .radius = 10});
  EXPECT_NE(problem.disagreement(ours, stream), "") << "one too many";
}

}  // namespace
}  // namespace tessera
