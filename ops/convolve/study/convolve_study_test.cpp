// SPDX-License-Identifier: Apache-2.0
#include "ops/convolve/study/convolve_study.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/machine.hpp"
#include "ops/convolve/study/r06_padded_row.cuh"
#include "study/code_lines.hpp"
#include "study/published.hpp"
#include "study/study_loops.hpp"
#include "tests/support/files.hpp"
#include "tests/support/on_cuda.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/study_rows.hpp"
#include "tests/support/study_runs.hpp"
#include "tests/support/text_has.hpp"

namespace tessera {
namespace {

using testing::has;

TEST(ConvolveStudy, PublishedFiguresParseAndHoldThePapers) {
  const auto& figures = published_figures("convolve");
  EXPECT_EQ(published_gflops(figures, "1", 3, 3), "66.6 GTX680 §9");
  EXPECT_EQ(published_gflops(figures, "7", 3, 3), "135.9 GTX680 §5, 133.2 GTX680 §9");
  EXPECT_EQ(published_gflops(figures, "3", 7, 7), "") << "its chart is lost";
  for (int taps = 3; taps <= 43; taps += 2)
    for (const char* quantity : {"tiles", "block_x", "block_y"}) {
      EXPECT_TRUE(published_value(figures, "s1", taps, 1, quantity)) << taps;
      EXPECT_TRUE(published_value(figures, "s2", 1, taps, quantity)) << taps;
    }
}

TEST(ConvolveStudy, EveryRungOfItsOwnHasLinesOfCode) {
  for (const auto& rung : convolve_rungs())
    for (const std::string& file : rung.files)
      EXPECT_TRUE(code_lines_of({file}) > 0 || file.find("/study/") == std::string::npos) << file;
}

TEST(ConvolveStudy, IntensityIsThePapers) {
  EXPECT_NEAR(ladder_intensity(3, 3, tiled_shape(3, 3, 32, 32, 1)), 3.99, 0.005);
  const double tiled = ladder_intensity(3, 3, tiled_shape(3, 3, 32, 32, 4));
  EXPECT_NEAR(tiled, 2.0 * 9 * 128 * 32 / (130.0 * 34 * 4), 1e-12);
}

// The purpose of the padding: each row of a block of 16 begins 16 banks after the one above.
TEST(ConvolveStudy, PaddedRowsMeetNoBankTwice) {
  EXPECT_EQ(padded_row(23, 16, 1), 32 + 16) << "the paper's example";
  EXPECT_EQ(padded_row(17, 16, 1), 32 + 16);
  for (int width = 1; width <= 43; ++width)
    for (int tiles = 1; tiles <= 10; ++tiles) {
      const int row = padded_row(width, 16, tiles);
      EXPECT_EQ(row % 32, 16);
      EXPECT_GE(row, width - 1 + 16 * tiles);
      EXPECT_LT(row, width - 1 + 16 * tiles + 32);
      EXPECT_EQ(padded_row(width, 32, tiles), width - 1 + 32 * tiles) << "no padding";
    }
}

TEST(ConvolveStudy, AdaptiveTilingTakesTheLargestThatFits) {
  const auto few = [](int) { return 32; };
  const auto many = [](int) { return 33; };  // more than two blocks of 1024 threads can have
  // The GTX680's 48 KB: the paper's run-time system chose 3 at 43x43, where 4 does not fit.
  EXPECT_EQ(adaptive_tiles(43, 43, {48 * 1024}, few), 3);
  const int large = 227 * 1024;
  EXPECT_EQ(adaptive_tiles(3, 3, {large}, few), 10);
  EXPECT_EQ(adaptive_tiles(43, 43, {large}, many), 10) << "one block";
  const int two = adaptive_tiles(43, 43, {large}, few);
  EXPECT_LE(2 * (tiled_shape(43, 43, 32, 32, two).shared_bytes + 1024), large + 1024);
  EXPECT_GT(2 * (tiled_shape(43, 43, 32, 32, two + 1).shared_bytes + 1024), large + 1024);
  EXPECT_EQ(adaptive_tiles(43, 43, {1024}, few), 0);
}

TEST(ConvolveStudy, RefusesWithoutADevice) {
  if (!this_machine().devices.empty()) GTEST_SKIP() << "there is a device";
  testing::expect_error([] { run_convolve_study({}, {}); }, ErrorKind::resources,
                        "its rungs need a GPU, and there is none");
  EXPECT_TRUE(run_convolve_study({.backend = Backend::cpu}, {}).rows.empty());
  testing::expect_error([] { run_convolve_study({.rungs = "11"}, {}); }, ErrorKind::usage,
                        "--rungs");
}

TEST(ConvolveStudy, VerdictNamesTheBestRatioAndWhereFftWins) {
  StudyResult result;
  EXPECT_EQ(convolve_verdict(result),
            "Neither the paper's last rungs nor ours ran next to the naive one.");
  result.rows = testing::timed_rows("3x3", {{"1", 8}, {"7", 1}, {"8", 2}, {"9", 4}});
  for (const StudyRow& row :
       testing::timed_rows("31x31", {{"1", 29}, {"9", 10}, {"10", 4}, {"fft", 1}}))
    result.rows.push_back(row);
  result.summary = {{"3x3", "8", 1, 4.0, 5.0}, {"31x31", "10", 1, 7.25, 0.9}};
  EXPECT_EQ(convolve_verdict(result),
            "The paper's last rungs are at most 4.00 times as fast as the naive one (rung 8 at "
            "3x3; the paper: 9.14 on a GTX680, 8.3 on a K20); ours at most 7.25 times (rung 10 at "
            "31x31); from 31x31 on the FFT is faster.");
}

// Sizes that the figures are about, and all of table 1.
TEST(ConvolveStudy, EveryPublishedFigureIsShown) {
  StudyResult result{.study = "convolve", .rival = "fft"};
  const auto add = [&](int width, int height) {
    const std::string name = fmt::format("{}x{}", width, height);
    const auto size = testing::result_of_all<Rung<ConvolveCase>>("", name, {&convolve_rungs()});
    result.rows.insert(result.rows.end(), size.rows.begin(), size.rows.end());
    for (StudyRow& row : result.rows)
      if (row.case_name == name)
        row.published = published_gflops(published_figures("convolve"), row.rung, width, height);
  };
  for (int side = 3; side <= 43; side += 2) add(side, side);
  add(17, 43);
  result.compared = convolve_compared(result, true, true);
  result.further = table_1_text(result);
  const auto in_table = [](const PublishedFigure& figure) -> std::string {
    if (figure.source != "001 table 1") return "";
    const auto value = [&](const char* quantity) {
      return *published_value(published_figures("convolve"), figure.rung, figure.filter_width,
                              figure.filter_height, quantity);
    };
    return fmt::format(" {}x{} x{} ", value("block_x"), value("block_y"), value("tiles"));
  };
  testing::expect_all_shown("convolve", result.describe(), true, in_table);
  EXPECT_TRUE(has(result.further, "\n  15          32x4 x8 ")) << result.further;
  EXPECT_EQ(std::ranges::count(result.further, '\n'), 3 + 21);
  EXPECT_TRUE(has(result.describe(), "Table 1: best blocks"));
}

TEST(ConvolveStudy, FiguresOfSizesThatDidNotRunAreLeftOut) {
  StudyResult result;
  result.rows = testing::timed_rows("3x3", {{"1", 8}, {"8", 2}});
  const auto lines = convolve_compared(result, true, false);
  EXPECT_EQ(testing::ratio_named(lines, "8: times as fast as rung 1 at most"), 4);
  EXPECT_TRUE(std::ranges::none_of(
      lines, [](const ComparedFigure& line) { return has(line.what, "17x43"); }));
  EXPECT_EQ(table_1_text(result), "") << "neither pass ran";
}

using ConvolveStudyOnCuda = testing::OnCuda;

// Sides that are not multiples of any block or tile, even filters and filters that are not square.
TEST_F(ConvolveStudyOnCuda, EveryRungIsRight) {
  const std::vector<Size> sides = testing::run_small()
                                      ? std::vector<Size>{{65, 33}}
                                      : std::vector<Size>{{131, 77}, {1, 1}, {256, 128}};
  std::vector<StudySize> filters{{5, 2}, {9, 7}};
  if (!testing::run_small()) filters = {{1, 1}, {3, 3}, {5, 2}, {17, 43}, {32, 32}, {43, 43}};
  Stream stream(0);
  for (const Size& side : sides) {
    const Image image = testing::random_image(side, Type::f32, 1);
    for (const StudySize& size : filters) {
      const ConvolveCase problem(image, size, 1, stream);
      testing::expect_right(convolve_rungs(), problem, stream);
    }
  }
}

TEST_F(ConvolveStudyOnCuda, AWrongRungIsFound) {
  Stream stream(0);
  const Image image = testing::random_image({131, 77}, Type::f32, 1);
  const ConvolveCase problem(image, {5, 5}, 1, stream);
  Rung<ConvolveCase> lazy{"0", "does nothing", {}, nullptr};
  PreparedRung nothing;
  nothing.run = [](Stream&) {};
  EXPECT_THROW(test_rung(lazy, nothing, problem, stream), Error);
}

TEST_F(ConvolveStudyOnCuda, TheStudyTimesWhatItTested) {
  if (testing::run_small()) GTEST_SKIP() << "it times kernels that other cases run";
  const StudyResult result =
      run_convolve_study({.sizes = "3,7", .rungs = "1,7,10", .side = 300, .search = 2}, {});
  ASSERT_EQ(result.rows.size(), 6U);
  for (const StudyRow& row : result.rows) {
    EXPECT_EQ(row.absent, "");
    EXPECT_GT(row.ms.value_or(0), 0);
    EXPECT_GT(row.gflops.value_or(0), 0);
  }
  EXPECT_GT(result.rows[0].registers.value_or(0), 0);
  EXPECT_EQ(result.rows[0].published, "66.6 GTX680 §9");
  EXPECT_EQ(result.summary.size(), 2U);
}

}  // namespace
}  // namespace tessera
