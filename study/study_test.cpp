// SPDX-License-Identifier: Apache-2.0
// The parts of a study besides running kernels.
#include <gtest/gtest.h>

#include <cmath>

#include "study/code_lines.hpp"
#include "study/published.hpp"
#include "study/studies.hpp"
#include "study/study_loops.hpp"
#include "tests/support/files.hpp"
#include "tests/support/study_rows.hpp"
#include "tests/support/study_runs.hpp"

namespace tessera {
namespace {

using testing::expect_error;

TEST(CodeLines, AreThoseWithMoreThanBlanksAndComments) {
  EXPECT_EQ(count_code_lines(""), 0);
  EXPECT_EQ(count_code_lines("// one\n\n   \n/* two\n three */\n"), 0);
  EXPECT_EQ(count_code_lines("int a;  // why\nint b; /* c\n d */ int e;\n"), 3);
  EXPECT_EQ(count_code_lines("int a = b / c;"), 1);
}

TEST(CodeLines, NamesWithoutDoors) {
  EXPECT_EQ(without_doors("ops/noise/cuda/noise_slide.cuh"), "ops/noise/noise_slide.cuh");
  EXPECT_EQ(without_doors("ops/faraday/clean/cpu/faraday_clean_cpu.cpp"),
            "ops/faraday/faraday_clean_cpu.cpp");
  EXPECT_EQ(without_doors("ops/noise/noise.cpp"), "ops/noise/noise.cpp");
  for (const char* kept : {"ops/noise/study/noise_case.cpp", "ops/convolve/parts/row_tiles-inl.hpp",
                           "core/cuda/line_fft.cuh", "no_folder"})
    EXPECT_EQ(without_doors(kept), kept);
}

TEST(CodeLines, OfFilesByTheBeginningOfTheirNames) {
  EXPECT_EQ(code_lines_of({"no/such/file"}), 0);
  const int naive = code_lines_of({"ops/convolve/study/r01_"});
  EXPECT_GT(naive, 5);
  EXPECT_LT(naive, 30);
  EXPECT_EQ(code_lines_of({"ops/convolve/study/r01_", "ops/convolve/study/r02_"}),
            naive + code_lines_of({"ops/convolve/study/r02_"}));
  EXPECT_GT(code_lines_of({"ops/convolve/convolve_direct"}), naive);
  EXPECT_EQ(code_lines_of({"ops/convolve/study/r01_", "ops/convolve/study/r0"}),
            code_lines_of({"ops/convolve/study/r0"}))
      << "no file counts twice";
}

TEST(Published, LinesBecomeFigures) {
  const auto figures = parse_published(
      "p",
      "# comment\n001 §5\tGTX680\t7\t3\t3\tgflops\t135.9\n\n001 §9\tGTX680\t7\t3\t3\tgflops\t"
      "133.2\n001 §6\tK20\t9\t-\t-\tover_naive_at_most\t8.3\n");
  ASSERT_EQ(figures.size(), 3U);
  EXPECT_EQ(figures[2].filter_width, 0);
  EXPECT_EQ(published_gflops(figures, "7", 3, 3), "135.9 GTX680 §5, 133.2 GTX680 §9");
  EXPECT_EQ(published_gflops(figures, "7", 5, 5), "");
  EXPECT_EQ(published_text(figures, "7", 3, 3, {"ms"}), "");
  EXPECT_EQ(published_value(figures, "9", 0, 0, "over_naive_at_most"), 8.3);
  EXPECT_FALSE(published_value(figures, "9", 0, 0, "gflops"));
}

TEST(Published, WordsAndUnitsAreShown) {
  const auto figures = parse_published(
      "p",
      "002 RMS\t-\tcpu.sort\t64\t64\tsort_over_histogram\t\"much slower\"\n000 table 2\tFermi\t"
      "s\t-\t-\tms\t465.74\n004 §5\tGTX280\tt\t-\t-\tallocation_percent\t72\n");
  EXPECT_TRUE(std::isnan(figures[0].value));
  EXPECT_EQ(shown_figure(figures[0]), "\"much slower\" RMS");
  EXPECT_EQ(shown_figure(figures[1]), "465.74 ms Fermi table 2");
  EXPECT_EQ(shown_figure(figures[2]), "72% GTX280 §5");
}

TEST(Published, AFigureThatNobodyShowsIsFound) {
  PublishedFigure figure{.source = "001 §5", .device = "GTX680", .rung = "8", .quantity = "gflops"};
  figure.text = "1.5";
  for (const char* shows :
       {"\n  8    unrolled  1  1.5 GTX680 §5", "  8: GFLOP/s   –  1.5 GTX680 §5\n"})
    EXPECT_EQ(testing::lines_that_show(shows, figure, true), 1) << shows;
  for (const char* other :
       {"", "  8  21.5 GTX680 §5", "  9  1.5 GTX680 §5", "  8  1.5 GTX680 §6", "  8  1.5\n"})
    EXPECT_EQ(testing::lines_that_show(other, figure, true), 0) << other;
  EXPECT_EQ(testing::lines_that_show("  9  1.5 GTX680 §5", figure, false), 1);
  expect_error([] { compared_figures({}, {.operation = "noise"}); }, ErrorKind::failure,
               "no words for the quantity sort_over_histogram");
}

TEST(Published, WrongLinesAreNamed) {
  expect_error([] { parse_published("p", "# one\n001\tGTX680\n"); }, ErrorKind::failure,
               "p line 2: it has 2 columns; there are 7");
  expect_error([] { parse_published("p", "1\t2\t3\tx\t3\tgflops\t1\n"); }, ErrorKind::usage,
               "p line 1");
}

TEST(Studies, SizesAndRungsAreParsed) {
  using Sizes = std::vector<StudySize>;
  EXPECT_EQ(parse_sizes("3-7", 43), (Sizes{{3, 3}, {5, 5}, {7, 7}}));
  EXPECT_EQ(parse_sizes("5,17x43", 43), (Sizes{{5, 5}, {17, 43}}));
  for (const char* wrong : {"0", "44", "3-45", "9-3", "x3", "", "3,", "three"})
    EXPECT_THROW(parse_sizes(wrong, 43), Error) << wrong;
  const std::vector<std::string> known{"1", "5a", "10b"};
  EXPECT_EQ(chosen_rungs("all", known), known);
  EXPECT_EQ(chosen_rungs("10b,1", known), (std::vector<std::string>{"1", "10b"}));
  expect_error([&] { chosen_rungs("5", known); }, ErrorKind::usage, "--rungs");
}

TEST(StudyLoops, RooflineIsTheLowerOfTwoCeilings) {
  const DeviceCeilings ceilings{.fma_flops = 100, .copy_bytes = 10};
  EXPECT_EQ(roofline_flops(ceilings, 4), 40);
  EXPECT_EQ(roofline_flops(ceilings, 40), 100);
  PreparedRung rung;
  rung.flops = 20;
  rung.intensity = 4;
  const StudyRow row = filled_row({}, rung, {.seconds = 1, .spread = 0}, ceilings);
  EXPECT_EQ(row.roofline, 0.5);
  EXPECT_EQ(row.ms, 1e3);
  EXPECT_FALSE(row.registers) << "0 is not known";
  EXPECT_FALSE(row.gbytes);
  rung.bytes = 2e9;
  const StudyRow moved = filled_row({}, rung, {.seconds = 1, .spread = 0}, {.copy_bytes = 8e9});
  EXPECT_EQ(moved.gbytes, 2);
  EXPECT_EQ(moved.of_copy, 0.25);
}

StudyResult small_result() {
  StudyResult result{.study = "convolve", .device = "none", .rival = "fft"};
  result.rows = testing::timed_rows("3x3", {{"1", 9}, {"8", 3}, {"s1", 1}, {"fft", 6}});
  StudyRow absent{.case_name = "3x3", .rung = "4", .title = "say, \"so\"", .absent = "why not"};
  result.rows.push_back(absent);
  return result;
}

TEST(StudyResult, SummaryLeavesOutPartsAndTheRival) {
  const auto summary = summarize(small_result(), {"s1"});
  ASSERT_EQ(summary.size(), 1U);
  EXPECT_EQ(summary[0].best, "8");
  EXPECT_EQ(summary[0].over_first, 3);
  EXPECT_EQ(summary[0].over_rival, 2);
}

TEST(StudyResult, UnknownFiguresAreDashesAndAbsentRungsSayWhy) {
  const std::string text = small_result().describe();
  EXPECT_NE(text.find("absent: why not"), std::string::npos) << text;
  EXPECT_NE(text.find("–"), std::string::npos) << text;
  const std::string csv = small_result().csv();
  EXPECT_EQ(csv.rfind("case,rung,title,absent,ms,", 0), 0U) << csv;
  EXPECT_NE(csv.find("3x3,4,\"say, \"\"so\"\"\",why not,,,"), std::string::npos) << csv;
}

}  // namespace
}  // namespace tessera
