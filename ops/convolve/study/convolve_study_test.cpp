// SPDX-License-Identifier: Apache-2.0
#include "ops/convolve/study/convolve_study.hpp"

#include <gtest/gtest.h>

#include "core/machine.hpp"
#include "ops/convolve/study/r06_padded_row.cuh"
#include "study/code_lines.hpp"
#include "study/published.hpp"
#include "study/study_loops.hpp"
#include "tests/support/files.hpp"
#include "tests/support/on_cuda.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/study_rows.hpp"

namespace tessera {
namespace {

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
  result.summary = {{"3x3", "8", 1, 4.0, 5.0}, {"31x31", "10", 1, 7.25, 0.9}};
  EXPECT_EQ(convolve_verdict(result),
            "The best rung is at most 7.25 times as fast as the naive one (rung 10 at 31x31; the "
            "paper: 9.14 on a GTX680, 8.3 on a K20); from 31x31 on the FFT is faster.");
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
