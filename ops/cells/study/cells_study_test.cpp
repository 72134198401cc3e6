// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/study/cells_study.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "ops/cells/study/track_args.cuh"
#include "study/study_loops.hpp"
#include "tests/support/files.hpp"
#include "tests/support/on_cuda.hpp"
#include "tests/support/study_rows.hpp"
#include "tests/support/study_runs.hpp"
#include "tests/support/text_has.hpp"

namespace tessera {
namespace {

using testing::expect_error;
using testing::has;
using testing::timed_rows;

/// Small, but with whole windows.
const CellsCase& small_case() {
  static const CellsCase made(made_film(170, 160, 0, 160, 2, 60));
  return made;
}

const CellsRung& rung_named(const std::string& id) {
  return testing::rung_named(id, cells_cuda_rungs(), cells_cpu_rungs());
}

bool is_ours(const CellsRung& rung) { return has(rung.id, ".ours."); }
/// A change to a program of the ladder: "track.larger.pool".
bool is_further(const CellsRung& rung) { return std::ranges::count(rung.id, '.') == 2; }

TEST(CellsStudy, GradientsByHand) {
  const double image[] = {0, 1, 4, 10, 20, 40};  // 3 by 2
  double x[6], y[6];
  plain_gradient(image, 3, 2, x, y);
  EXPECT_EQ(x[0], 1);
  EXPECT_EQ(x[1], 2);
  EXPECT_EQ(x[2], 3);
  EXPECT_EQ(x[4], 15);
  EXPECT_EQ(y[0], 10);
  EXPECT_EQ(y[5], 36);
}

TEST(CellsStudy, CirclesHaveTheDistinctOffsetsOfThePublishedOnes) {
  constexpr int kDistinct[] = {51, 61, 77, 91, 107, 121, 123};
  const CircleTables& tables = circle_tables();
  for (std::size_t k = 0; k < 7; ++k) {
    std::set<std::pair<int, int>> offsets;
    for (std::size_t n = 150 * k; n < 150 * (k + 1); ++n)
      offsets.insert({tables.offset_x[n], tables.offset_y[n]});
    EXPECT_EQ(offsets.size(), static_cast<std::size_t>(kDistinct[k])) << k;
  }
}

/// A bright disc: slopes point inwards everywhere, so the score is negative and largest in its
/// middle.
TEST(CellsStudy, ADiscIsFoundInItsMiddle) {
  constexpr int kSide = 90, kMiddle = 45;
  std::vector<double> image(kSide * kSide), x(image.size()), y(image.size());
  for (int k = 0; k < kSide * kSide; ++k)
    image[k] = 100 / (1 + std::exp(std::hypot(k % kSide - kMiddle, k / kSide - kMiddle) - 10));
  plain_gradient(image.data(), kSide, kSide, x.data(), y.data());
  std::vector<double> gicov(image.size()), dilated(image.size());
  for (int row = 0; row < kSide; ++row)
    plain_gicov_row(x.data(), y.data(), kSide, kSide, row, gicov.data() + row * kSide);
  for (int row = 0; row < kSide; ++row)
    plain_dilation_row(gicov.data(), kSide, kSide, row, dilated.data() + row * kSide);
  const double middle = gicov[kMiddle * kSide + kMiddle];
  EXPECT_LT(middle, -5);
  EXPECT_EQ(gicov[21 * kSide + 30], 0) << "too near the edge";
  EXPECT_EQ(dilated[kMiddle * kSide + kMiddle], middle * middle);
  EXPECT_EQ(dilated[kMiddle * kSide + kMiddle + 12], middle * middle) << "within the disk";
  EXPECT_LT(dilated[(kMiddle + 9) * kSide + kMiddle + 9], middle * middle) << "outside";
}

/// One bright sample: its eight neighbours and itself after a step, by hand.
TEST(CellsStudy, AStepOfTheFieldByHand) {
  constexpr int kWidth = 5, kHeight = 4, kAt = 2 * kWidth + 2;
  std::vector<double> edges(kWidth * kHeight), field(edges.size());
  edges[kAt] = 1;
  double change = 0;
  for (int y = 0; y < kHeight; ++y)
    change += plain_mgvf_row(edges.data(), edges.data(), kWidth, kHeight, y, field.data());
  const auto at = [&](int dx, int dy) { return field[kAt + dy * kWidth + dx]; };
  const double tiny = 1e-6;  // PI is 3.14159
  EXPECT_NEAR(at(-1, 0), 0.1, tiny) << "its right neighbour is higher";
  EXPECT_NEAR(at(0, -1), 0.1, tiny);
  EXPECT_NEAR(at(-1, -1), 0.1, tiny);
  EXPECT_NEAR(at(1, 0), 0, tiny) << "its left neighbour is not lower";
  EXPECT_NEAR(at(1, 1), 0, tiny);
  EXPECT_NEAR(at(1, -1), 0.05, tiny) << "across counts half";
  EXPECT_NEAR(at(-1, 1), 0.05, tiny);
  // Left, up and up-left are lower by 1, the two across count half: 1 - 0.1 * 4 = 0.6, then 0.2 of
  // the way back to the edge.
  EXPECT_NEAR(at(0, 0), 0.6 + 0.2 * 0.4, tiny);
  EXPECT_NEAR(change, 5 * 0.08 + 0.32, 0.2);
}

TEST(CellsStudy, AFieldSettlesAndAStarStaysOnItsCell) {
  const CellsCase& c = small_case();
  const Tracked& truth = c.true_tracked();
  for (std::size_t k = 0; k < truth.cells.size(); ++k) {
    EXPECT_GT(truth.mgvf_steps[k], 20) << k;
    EXPECT_LT(truth.mgvf_steps[k], kMostMgvfSteps) << k;
    EXPECT_GT(truth.star_steps[k], 2) << k;
    EXPECT_LT(std::hypot(truth.cells[k].x - c.cells()[k].x, truth.cells[k].y - c.cells()[k].y), 3);
  }
}

TEST(CellsStudy, WindowsAreAsPublished) {
  const StudyWindow whole = window_of({100.7, 200.2}, 640, 480);
  EXPECT_EQ(whole.left, 61);
  EXPECT_EQ(whole.top, 181);
  EXPECT_EQ(whole.width, kFieldWidth);
  EXPECT_EQ(whole.height, kFieldHeight);
  const StudyWindow corner = window_of({3, 470}, 640, 480);
  EXPECT_EQ(corner.left, 0);
  EXPECT_EQ(corner.width, 44);
  EXPECT_EQ(corner.height, 480 - 451);
}

TEST(CellsStudy, CpuRungsAreRight) {
  Stream stream(kHost, 3);
  EXPECT_GE(testing::expect_right(cells_cpu_rungs(), small_case(), stream), 10) << "the paper's";
}

TEST(CellsStudy, WrongRungsAreFound) {
  Stream stream;
  const CellsCase& c = small_case();
  for (const char* id : {"detect.plain", "track.plain", "film.plain"}) {
    const CellsRung& rung = rung_named(id);
    const PreparedRung right = prepare_rung(rung, c, stream);
    PreparedRung lazy = right, wrong = right;
    lazy.run = [](Stream&) {};
    EXPECT_THROW(test_rung(rung, lazy, c, stream), Error) << id;
    wrong.run = [&](Stream& on) {
      right.run(on);
      if (has(id, "detect"))
        c.detected().gicov[c.width() * 80 + 80] += 1e-9;
      else
        c.tracked().cells[1].x += 1e-6;
    };
    EXPECT_THROW(test_rung(rung, wrong, c, stream), Error) << id;
  }
}

TEST(CellsStudy, MoreOrFewerCellsAndStepsAreWrong) {
  Stream stream;
  const CellsCase& c = small_case();
  const CellsRung &detect = rung_named("detect.plain"), &track = rung_named("track.plain");
  const PreparedRung detected = prepare_rung(detect, c, stream);
  ASSERT_FALSE(c.true_detected().cells.empty());
  PreparedRung fewer = detected;
  fewer.run = [&](Stream& on) {
    detected.run(on);
    c.detected().cells.pop_back();
  };
  expect_error([&] { test_rung(detect, fewer, c, stream); }, ErrorKind::failure, "cells are found");
  const PreparedRung tracked = prepare_rung(track, c, stream);
  PreparedRung longer = tracked;
  longer.run = [&](Stream& on) {
    tracked.run(on);
    ++c.tracked().mgvf_steps[1];
  };
  expect_error([&] { test_rung(track, longer, c, stream); }, ErrorKind::failure,
               "steps of the field");
}

TEST(CellsStudy, PublishedFiguresAreOfRungsThereAre) {
  for (const PublishedFigure& figure : published_figures("cells"))
    if (figure.rung != "-") {
      EXPECT_EQ(rung_named(figure.rung).id, figure.rung);
    }
  for (const auto* rungs : {&cells_cuda_rungs(), &cells_cpu_rungs()})
    for (const CellsRung& rung : *rungs)
      EXPECT_TRUE(is_ours(rung) || is_further(rung) || rung.id.ends_with(".plain") ||
                  rung.id.starts_with("film.") || rung.id == "track.elements" ||
                  published_over_c(rung.id))
          << rung.id;
  EXPECT_NEAR(*published_over_c("track.heaviside"), 1 / 2.6, 1e-12);
  EXPECT_EQ(published_over_c("track.persistent"), 105.2);
  EXPECT_EQ(published_of("track.elements", "slower_percent"), 24);
  EXPECT_EQ(published_of("-", "cuda_frames_a_second"), 21.6);
}

TEST(CellsStudy, EveryRungHasLinesOfCode) {
  testing::expect_code_lines(cells_cuda_rungs(), cells_cpu_rungs(), 20, 10000);
}

TEST(CellsStudy, BadOptionsAreRefused) {
  testing::expect_refused(run_cells_study, {0, 159, 1025}, "detct", "detect?");
}

TEST(CellsStudy, WithoutADeviceTheCpuRuns) {
  if (!this_machine().devices.empty()) GTEST_SKIP() << "there is a device";
  const StudyResult result = testing::run_without_device(
      run_cells_study, {.rungs = "detect.plain,detect.openmp,detect.naive", .side = 160},
      &StudyRow::ms);
  EXPECT_EQ(result.rows.size(), 5U) << "detect.openmp, in one pass and by columns";
  const std::string text = result.describe();
  EXPECT_FALSE(has(text, "  detect.naive ")) << text;
  EXPECT_TRUE(has(text, "detect.openmp")) << text;
  EXPECT_TRUE(has(text, "3.1 X9770 §4")) << text;
}

StudyResult whole_result() {
  StudyResult result{.study = "cells", .device = "some GPU"};
  result.rows = timed_rows("640x219, 36 cells", {{"detect.plain", 400},
                                                 {"track.plain", 1000},
                                                 {"film.plain", 950},
                                                 {"detect.one-pass", 10},
                                                 {"track.persistent", 5},
                                                 {"film.cuda", 6.25},
                                                 {"track.heaviside", 4000}});
  result.rows[4].kernels = 0.5;
  result.rows[4].copies = 0.2;
  result.rows[4].allocation = 0.1;
  result.rows[4].launches = 1;
  result.rows[4].published = "105.2 GTX280 §5";
  return result;
}

TEST(CellsStudy, RatesAreThePapersFormula) {
  const StudyResult result = whole_result();
  EXPECT_EQ(over_c(result, "detect.one-pass"), 40);
  EXPECT_EQ(over_c(result, "track.heaviside"), 0.25);
  EXPECT_FALSE(over_c(result, "track.partial"));
  const FrameRates plain = frame_rates(result, kCellsWays[0]);
  EXPECT_NEAR(*plain.by_formula, 10 / 9.4, 1e-12);
  EXPECT_NEAR(*plain.end_to_end, 1000.0 / 950, 1e-12);
  EXPECT_FALSE(frame_rates(result, kCellsWays[1]).by_formula);
  const std::string text = cells_tables(result);
  for (const char* part : {"Detection, one frame", "40x", "105.2 GTX280 §5", "50%", "20%", "10%",
                           "21.6", "0.11", "181.82", "160.00"})
    EXPECT_TRUE(has(text, part)) << part << text;
  EXPECT_EQ(cells_verdict(result),
            "The paper's last detection is 40 times as fast as C (the paper: 29.7) and its last "
            "tracking is 200 times as fast as C (the paper: 105.2); a film is followed at 160 "
            "frames/s (CUDA, the paper's last), 5.33 times real time; by the paper's (D + 9T)/10 "
            "it is 182, on its GTX 280 it was 21.6.");
  EXPECT_TRUE(has(cells_verdict({}), "nothing to compare"));
}

TEST(CellsStudy, EveryPublishedFigureIsShown) {
  StudyResult result =
      testing::result_of_all<CellsRung>("cells", "", {&cells_cuda_rungs(), &cells_cpu_rungs()});
  result.tables = cells_tables(result);
  result.compared = cells_compared(result, true);
  testing::expect_all_shown("cells", result.describe());
  // One program of each ladder: what rows show is not shown twice, other rungs are left out.
  StudyResult few{.study = "cells"};
  few.rows = timed_rows("", {{"track.openmp", 30}, {"track.larger", 60}, {"track.heaviside", 90}});
  few.rows[0].published = "3.8 X9770 §5";
  const std::vector<ComparedFigure> lines = cells_compared(few, true);
  EXPECT_EQ(std::ranges::find(lines, "track.openmp: times as fast as C", &ComparedFigure::what),
            lines.end());
  EXPECT_EQ(std::ranges::find(lines, "track.partial: times as fast as C", &ComparedFigure::what),
            lines.end());
  EXPECT_EQ(testing::ratio_named(lines, "track.larger: times as fast as the step before"), 1.5);
  EXPECT_EQ(testing::ratio_named(lines, "track.larger: OpenMP over it"), 2);
  EXPECT_FALSE(testing::ratio_named(cells_compared(few, false), "track.larger: OpenMP over it"))
      << "of another film";
}

using CellsStudyOnCuda = testing::OnCuda;

TEST_F(CellsStudyOnCuda, EveryRungIsRight) {
  Stream stream(0);
  EXPECT_GE(testing::expect_right(cells_cuda_rungs(), small_case(), stream), 23) << "the paper's";
  testing::expect_lazy_found(cells_cuda_rungs(), small_case(), stream);
}

TEST_F(CellsStudyOnCuda, TheStudyDividesItsTime) {
  const StudyResult result = run_cells_study({.rungs = "detect,track.persistent", .side = 200}, {});
  for (const StudyRow& row : result.rows) {
    if (!row.absent.empty()) continue;
    EXPECT_GT(row.ms.value_or(0), 0) << row.rung;
    if (!row.kernels) continue;
    EXPECT_GT(*row.kernels, 0) << row.rung;
    EXPECT_GT(*row.copies, 0) << row.rung;
    EXPECT_GT(*row.allocation, 0) << row.rung;
    EXPECT_LE(*row.kernels + *row.copies + *row.allocation, 1) << row.rung;
  }
}

}  // namespace
}  // namespace tessera
