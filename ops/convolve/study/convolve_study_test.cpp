// SPDX-License-Identifier: Apache-2.0
#include "ops/convolve/study/convolve_study.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/machine.hpp"
#include "ops/convolve/study/ladder_cufft.hpp"
#include "ops/convolve/study/ladder_space.hpp"
#include "ops/convolve/study/r06_padded_row.cuh"
#include "study/code_lines.hpp"
#include "study/published.hpp"
#include "study/study_loops.hpp"
#include "tests/support/files.hpp"
#include "tests/support/on_cuda.hpp"
#include "tests/support/own_cache.hpp"
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

// The limits of 2012, and those that a user names.
TEST(ConvolveStudy, AdaptiveTilingFollowsTheLimitsGiven) {
  const auto few = [](int) { return 32; };
  LadderLimits limits{.shared_bytes_per_block = 48 * 1024, .reserved_bytes = 0};
  EXPECT_EQ(adaptive_tiles(3, 3, limits, few), 5) << "two blocks of 22032 bytes";
  EXPECT_EQ(adaptive_tiles(43, 43, limits, few), 3);
  limits.blocks = 1;
  EXPECT_EQ(adaptive_tiles(3, 3, limits, few), 10);
  limits.blocks = 2;
  EXPECT_EQ(adaptive_tiles(31, 31, limits, few), 2) << "two blocks of 23312 bytes";
  limits.registers = 32 * 1024;
  EXPECT_EQ(adaptive_tiles(31, 31, limits, few), 5) << "registers leave room for one block";
  limits.registers = 1024;
  EXPECT_EQ(adaptive_tiles(3, 3, limits, few), 0);
}

// The GTX480's blocks, with padding columns and one block per multiprocessor.
TEST(ConvolveStudy, AdaptiveTilingTakesOtherBlocks) {
  const auto few = [](int) { return 32; };
  const auto padded = [](int tiles) { return padded_shape(17, 17, 16, 32, tiles); };
  LadderLimits limits{.shared_bytes_per_block = 48 * 1024, .blocks = 1, .reserved_bytes = 0};
  EXPECT_EQ(adaptive_tiles(padded, limits, few), 10) << "48 rows of 176 floats take 33792 bytes";
  limits.shared_bytes_per_block = 33791;
  EXPECT_EQ(adaptive_tiles(padded, limits, few), 8)
      << "9 tiles would have rows of 176 floats too: their padding is longer";
}

// On a machine without a GPU too: the paper's pair at 5x5 is compiled for the device it will run
// on.
TEST(ConvolveStudy, TheUnrolledPairCompiles) {
  if (!run_time_compiler_found()) GTEST_SKIP() << "NVRTC is not found";
  const testing::OwnCache cache;
  for (const auto& [unit, body, shape] :
       {std::tuple{"r04_unrolled", "one_element_unrolled", tiled_shape(1, 1, 32, 32, 1)},
        {"r08_unrolled", "unrolled", tiled_shape(5, 5, 32, 32, 1)}})
    EXPECT_TRUE(compile_kernel(unrolled_kernel(unit, body, {5, 5}, shape), "sm_90")) << unit;
}

TEST(ConvolveStudy, RefusesWithoutADevice) {
  if (!this_machine().devices.empty()) GTEST_SKIP() << "there is a device";
  for (const StudyOptions& options :
       {StudyOptions{.rungs = "1,8"}, StudyOptions{.backend = Backend::cuda}})
    testing::expect_error([&] { run_convolve_study(options, {}); }, ErrorKind::resources,
                          "its rungs need a GPU, and there is none");
  testing::expect_error([] { run_convolve_study({.rungs = "11"}, {}); }, ErrorKind::usage,
                        "--rungs");
}

TEST(ConvolveStudy, RunsOnTheCpuWithoutADevice) {
  if (!this_machine().devices.empty()) GTEST_SKIP() << "there is a device";
  const StudyResult result = run_convolve_study({.sizes = "3,5x2", .side = 70}, {});
  ASSERT_EQ(std::ssize(result.rows), 2 * std::ssize(convolve_cpu_rungs()));
  for (const StudyRow& row : result.rows)
    EXPECT_TRUE(row.ms && row.gflops && row.absent.empty()) << row.rung << row.absent;
  EXPECT_EQ(result.summary.size(), 2U);
  EXPECT_TRUE(testing::has(result.verdict, "as the loop of figure 1a on one thread"))
      << result.verdict;
  EXPECT_TRUE(testing::has(result.describe(), "cpu.simd.1")) << result.describe();
}

TEST(ConvolveStudy, EveryRungOfTheCpuIsRight) {
  Stream host;
  for (const Size& side : {Size{131, 77}, Size{1, 1}, Size{16, 300}}) {
    const Image image = testing::random_image(side, Type::f32, 1);
    for (const StudySize& size : {StudySize{1, 1}, {5, 2}, {9, 7}, {17, 43}}) {
      const ConvolveCase problem(image, size, {}, nullptr);
      EXPECT_GE(testing::expect_right(convolve_cpu_rungs(), problem, host), 6);
    }
  }
}

TEST(ConvolveStudy, AWrongRungOfTheCpuIsFound) {
  Stream host;
  const Image image = testing::random_image({40, 30}, Type::f32, 1);
  const ConvolveCase problem(image, {5, 5}, {}, nullptr);
  for (const ConvolveRung& rung : convolve_cpu_rungs()) {
    PreparedRung lazy = prepare_rung(rung, problem, host);
    lazy.run = [](Stream&) {};
    EXPECT_THROW(test_rung(rung, lazy, problem, host), Error) << rung.id;
  }
}

// Shared memory alone decides, and the output says so.
TEST(ConvolveStudy, AdaptationIsVisibleWithoutADevice) {
  if (!this_machine().devices.empty()) GTEST_SKIP() << "there is a device";
  const StudyResult result = run_convolve_study(
      {.sizes = "3,13,43", .rungs = "7", .side = 8, .own = {{"shared", "48K"}}}, {});
  EXPECT_TRUE(testing::has(result.verdict,
                           "5 from 3x3 on, 8 from 13x13 on, 3 from 43x43 on (by "
                           "shared memory alone"))
      << result.verdict;
}

TEST(ConvolveStudy, TheCompilersKernelIsAPublishedRow) {
  if (!this_machine().devices.empty()) GTEST_SKIP() << "there is a device";
  const StudyResult result = run_convolve_study(
      {.sizes = "9,32x32", .rungs = "7", .side = 8, .own = {{"shared", "48K"}}}, {});
  EXPECT_EQ(std::ranges::count(result.rows, "compiler", &StudyRow::rung), 1) << "at 32x32 alone";
  EXPECT_EQ(result.rows.back().published, "239.0 GTX480 §8, 143.7 ms GTX480 §8");
  EXPECT_TRUE(has(result.describe(), "published: 239.0 GTX480 §8")) << result.describe();
}

TEST(ConvolveStudy, AdaptationSaysWhetherTheFactorChanges) {
  StudyResult result;
  result.rows = testing::timed_rows("3x3", {{"7", 1}, {"7", 1}});
  result.rows[1].case_name = "43x43";
  result.rows[0].tiles = result.rows[1].tiles = 9;
  EXPECT_EQ(adaptation_text(result, {}),
            "Rung 7 takes tile factor 9 at every size: within the limits of this device it does "
            "not change; --shared 48K shows it change as in the paper.");
  result.rows[1].tiles = 3;
  EXPECT_EQ(adaptation_text(result, LadderLimits{}),
            "Rung 7's tile factor, within the limits that were given: 9 from 3x3 on, 3 from 43x43 "
            "on.");
  result.rows.pop_back();
  EXPECT_EQ(adaptation_text(result, {}), "") << "one size shows nothing";
}

// Powers of two to 1024, then multiples of 512.
TEST(ConvolveStudy, CufftIsPaddedAsInThePaper) {
  EXPECT_EQ(cufft_padded(1), 1);
  EXPECT_EQ(cufft_padded(514), 1024);
  EXPECT_EQ(cufft_padded(1024), 1024);
  EXPECT_EQ(cufft_padded(1025), 1536);
  EXPECT_EQ(cufft_padded(4096 + 2), 4608);
}

TEST(ConvolveStudy, VerdictNamesCufftAndTheCpu) {
  StudyResult result{
      .rows = testing::timed_rows("3x3", {{"1", 4}, {"8", 0.5}, {"cufft", 5}, {"cpu.direct", 8}})};
  result.summary = summarize(result, {"cufft"});
  const std::string text = convolve_verdict(result);
  EXPECT_TRUE(testing::has(text,
                           "at 3x3 rung 8 is 10.00 times as fast as cuFFT padded as in the "
                           "paper (18.96 on a GTX680)"))
      << text;
  EXPECT_TRUE(testing::has(text, "the GPU is 16 times as fast as the CPU (the talk: 7 times)"))
      << text;
}

TEST(ConvolveStudy, VerdictComparesTheUnrolledPair) {
  StudyResult result{.rows = testing::timed_rows(
                         "5x5", {{"1", 4}, {"8", 0.5}, {"3.unrolled", 2}, {"4.unrolled", 3}})};
  EXPECT_TRUE(has(convolve_verdict(result),
                  "at 5x5, unrolled, a tile with all threads active is 1.50 times as fast as one "
                  "element per thread (1.27 on a GTX480)"))
      << convolve_verdict(result);
  result.rows.pop_back();
  EXPECT_FALSE(has(convolve_verdict(result), "unrolled, a tile")) << "half of a pair";
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
      const ConvolveCase problem(image, size, {}, &stream);
      testing::expect_right(convolve_rungs(), problem, stream);
    }
  }
}

TEST_F(ConvolveStudyOnCuda, AWrongRungIsFound) {
  Stream stream(0);
  const Image image = testing::random_image({131, 77}, Type::f32, 1);
  const ConvolveCase problem(image, {5, 5}, {}, &stream);
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
