// SPDX-License-Identifier: Apache-2.0
#include "ops/correlate/study/correlate_study.hpp"

#include <gtest/gtest.h>

#include <random>

#include "core/machine.hpp"
#include "ops/correlate/study/shift_args.cuh"
#include "study/study_loops.hpp"
#include "tests/support/files.hpp"
#include "tests/support/on_cuda.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/study_rows.hpp"
#include "tests/support/study_runs.hpp"
#include "tests/support/text_has.hpp"

namespace tessera {
namespace {

using testing::expect_error;
using testing::has;

/// Small whole numbers: every product and sum is one too, below 2^24, and f32 makes no error in
/// any order of addition. So a direct rung that misses or doubles one pixel cannot hide.
Image whole_planes(int side) {
  Image planes({side, side, 1, kShiftPlanes}, Type::f32);
  std::mt19937 random(7);
  for (long long k = 0; k < planes.info().size.samples(); ++k)
    planes.as<float>().data[k] = static_cast<float>(static_cast<int>(random() % 9) - 4);
  return planes;
}

/// Every rung of a list on whole numbers; the paper's rungs without any error.
void expect_right(const std::vector<CorrelateRung>& rungs, const CorrelateCase& problem,
                  Stream& stream) {
  testing::expect_right(rungs, problem, stream,
                        [](const CorrelateRung& rung, PreparedRung& prepared) {
                          if (!rung.id.starts_with("ours.")) prepared.bound = 0;
                        });
}

TEST(CorrelateStudy, TruthIsTheDefinition) {
  const int side = 17, shifts = 8;
  const Image planes = whole_planes(side);
  const CorrelateCase problem(planes, nullptr);
  ASSERT_EQ(problem.shifts(), shifts);
  double steps = 0;
  for (int dy = 0; dy < shifts; ++dy)
    for (int dx = 0; dx < shifts; ++dx) {
      double sum = 0;
      for (int y = 0; y < side - dy; ++y)
        for (int x = 0; x < side - dx; ++x, ++steps)
          for (int k = 0; k < kShiftPlanes; ++k)
            sum += static_cast<double>(planes.as<float>().at(x + dx, y + dy, 0, k)) *
                   planes.as<float>().at(x, y, 0, k);
      EXPECT_EQ(problem.truth().as<double>().at(dx, dy), sum) << dx << ", " << dy;
    }
  EXPECT_EQ(problem.steps(), steps);
  EXPECT_EQ(problem.energy(), problem.truth().as<double>().at(0, 0));
}

TEST(CorrelateStudy, ThePapersProblemIs70GigaFlop) {
  const CorrelateCase problem(Image({500, 500, 1, kShiftPlanes}, Type::f32), nullptr);
  EXPECT_NEAR(1e-9 * problem.flops(), 70.5, 0.05);
}

TEST(CorrelateStudy, CpuRungsAreRight) {
  Stream stream;
  for (const int side : {16, 17, 61})
    expect_right(correlate_cpu_rungs(), CorrelateCase(whole_planes(side), nullptr), stream);
}

TEST(CorrelateStudy, WrongRungsAreFound) {
  Stream stream;
  const CorrelateCase problem(scene_planes(64), nullptr);
  const CorrelateRung& scalar = correlate_cpu_rungs().front();
  const PreparedRung right = prepare_rung(scalar, problem, stream);
  PreparedRung lazy = right, short_of_a_row = right;
  lazy.run = [](Stream&) {};
  expect_error([&] { test_rung(scalar, lazy, problem, stream); }, ErrorKind::failure,
               "rung scalar (the four loops, one thread) on 64x64 is wrong");
  short_of_a_row.run = [&](Stream& on) {
    right.run(on);
    for (int x = 0; x < 64; ++x) {
      const float missed = problem.separate().as<float>().at(x, 63);
      problem.host_map()[0] -= missed * missed;
    }
  };
  EXPECT_THROW(test_rung(scalar, short_of_a_row, problem, stream), Error);
  EXPECT_GT(test_rung(scalar, right, problem, stream), 0);
  EXPECT_LT(problem.largest_error(), right.bound / problem.energy());
}

TEST(CorrelateStudy, OnWholeNumbersOnePixelIsFound) {
  Stream stream;
  const CorrelateCase problem(whole_planes(64), nullptr);
  const CorrelateRung& scalar = correlate_cpu_rungs().front();
  PreparedRung rung = prepare_rung(scalar, problem, stream);
  rung.bound = 0;
  EXPECT_NO_THROW(test_rung(scalar, rung, problem, stream));
  rung.run = [&, right = rung.run](Stream& on) {
    right(on);
    problem.host_map()[problem.shifts() * problem.shifts() - 1] += 1;
  };
  EXPECT_THROW(test_rung(scalar, rung, problem, stream), Error);
}

TEST(CorrelateStudy, TilesHaveAboutTwoRowsOfShifts) {
  for (const int shifts : {8, 61, 250, 256})
    for (const ShiftTile& tile : kTiles) {
      const TileSides sides = tile_sides(tile, shifts);
      EXPECT_GE(sides.x, 1);
      EXPECT_GE(sides.y, 1);
      EXPECT_LE(sides.x * sides.y, 2 * shifts);
      EXPECT_LE(sides.x * sides.y, kMostShiftThreads);
      if (shifts != 250) continue;
      EXPECT_EQ(tile.name, fmt::format("{}x{}", sides.x, sides.y));
    }
}

TEST(CorrelateStudy, RungsAreChosenByTheirBeginnings) {
  const std::vector<std::string> known{"row.co.texture", "row.sep.texture", "rows", "simd.1",
                                       "simd.16"};
  using Names = std::vector<std::string>;
  EXPECT_EQ(rungs_beginning("all", known), known);
  EXPECT_EQ(rungs_beginning("simd.1", known), Names{"simd.1"});
  EXPECT_EQ(rungs_beginning("row", known), (Names{"row.co.texture", "row.sep.texture"}));
  EXPECT_EQ(rungs_beginning("row.sep,simd", known),
            (Names{"row.sep.texture", "simd.1", "simd.16"}));
  for (const char* wrong : {"", "ro", "simd.", "simd,,row", "simd.2"})
    expect_error([&] { rungs_beginning(wrong, known); }, ErrorKind::usage, "--rungs");
  for (const auto& one : {std::pair{"colour", "row, rows or simd"},
                          {"row.texture", "row.co or row.sep"},
                          {"simd.2", "simd.1 or simd.16"}})
    expect_error([&] { rungs_beginning(one.first, known); }, ErrorKind::usage, one.second);
}

TEST(CorrelateStudy, PublishedFiguresAreOfRungsThereAre) {
  std::vector<std::string> known{"-"};
  for (const CorrelateRung& rung : correlate_cuda_rungs()) known.push_back(rung.id);
  for (const CorrelateRung& rung : correlate_cpu_rungs()) known.push_back(rung.id);
  for (const PublishedFigure& figure : published_figures("correlate"))
    EXPECT_TRUE(figure.rung.starts_with("simd.") ||
                std::find(known.begin(), known.end(), figure.rung) != known.end())
        << figure.rung;
  EXPECT_EQ(published_times("shared.co.250x2"), "465.74 ms Fermi table 2");
  EXPECT_EQ(published_times("scalar"), "37.262 s X5680 table 4, 27.29 s Power7 table 5");
  EXPECT_EQ(published_times("row.co.texture.2x250"), "") << "its chart is lost";
  EXPECT_EQ(find_published("Power7", "-", "percent")->text, "31.39");
}

TEST(CorrelateStudy, EveryRungHasLinesOfCode) {
  testing::expect_code_lines(correlate_cuda_rungs(), correlate_cpu_rungs(), 10, 1500);
}

TEST(CorrelateStudy, BadOptionsAreRefused) {
  testing::expect_refused(run_correlate_study, {0, 15, 513}, "scalr", "scalar?");
}

TEST(CorrelateStudy, WithoutADeviceTheCpuRuns) {
  if (!this_machine().devices.empty()) GTEST_SKIP() << "there is a device";
  const StudyResult result =
      testing::run_without_device(run_correlate_study, {.side = 64}, &StudyRow::gflops);
  for (const StudyRow& row : result.rows)
    EXPECT_TRUE(row.ms || has(row.absent, "no GPU")) << row.rung << row.absent;
  const std::string text = result.describe();
  EXPECT_FALSE(has(text, "Table 2")) << text;
  EXPECT_TRUE(has(text, "37.262")) << text;
  EXPECT_TRUE(has(text, "31.39%")) << text;
  EXPECT_TRUE(has(text, "there is nothing to match; the CPU's best is ours.cpu.")) << text;
}

StudyRow timed(const char* rung, double ms, int lines) {
  StudyRow row{.case_name = "500x500", .rung = rung};
  row.ms = ms;
  row.gflops = 70.5e3 / ms;
  row.lines = lines;
  row.published = published_times(rung);
  return row;
}

TEST(CorrelateStudy, TablesHoldTodayBesideThePaper) {
  StudyResult result{.study = "correlate", .device = "some GPU"};
  result.rows = {timed("shared.co.250x2", 9.125, 80), timed("local.sep.large-cg", 31, 60),
                 timed("row.sep.large-ca.250x2", 14.25, 70), timed("row.co.texture.62x8", 15.5, 70),
                 timed("simd.1", 12000, 20)};
  result.cpu = "some CPU";
  const std::vector<MachineFacts> here{{"this GPU", "9 (3*3)", "1.25", "77", "some", "8 MB"}};
  const std::string text = correlate_tables(result, here);
  for (const char* part : {"Table 2", "9.125", "465.74 ms Fermi table 2", "Table 3", "1399.75",
                           "Figure 8", "15.50", "Figure 9", "694.24", "12.000", "13.601", "11.66",
                           "Table 6", "151.21", "Table 1", "448 (14*32)", "9 (3*3)"})
    EXPECT_TRUE(has(text, part)) << part << text;
}

// Tables 4, 5 and 6 are printed as the paper has them, figures 8 and 9 with its best.
std::string line_in_table(const PublishedFigure& figure) {
  const auto text = [&](const char* device, const char* rung, const char* quantity) {
    const PublishedFigure* const found = find_published(device, rung, quantity);
    return found ? found->text : kUnknown;
  };
  if (figure.source == "000 table 1") {
    std::string words = figure.text;
    std::erase(words, '"');
    return " " + words + (figure.quantity == "memory" ? "\n" : " ");
  }
  if (figure.source == "000 table 6") {
    const char* const device = figure.device.c_str();
    return fmt::format("  {:<40} {:>10} {:>10} {:>7}%\n",
                       fmt::format("the paper's {}, one processor", device),
                       text(device, "-", "gflops"), text(device, "-", "peak_gflops"),
                       text(device, "-", "percent"));
  }
  if (figure.rung.starts_with("row."))
    return fmt::format("  the paper's best: {}, {}\n", figure.rung, shown_figure(figure));
  if (figure.source != "000 table 4" && figure.source != "000 table 5") return "";
  const char* const rung = figure.rung.c_str();
  return fmt::format(" {:>10} {:>10}\n", text("X5680", rung, "seconds"),
                     text("Power7", rung, "seconds"));
}

TEST(CorrelateStudy, EveryPublishedFigureIsShown) {
  StudyResult result = testing::result_of_all<CorrelateRung>(
      "correlate", "500x500", {&correlate_cuda_rungs(), &correlate_cpu_rungs()});
  for (StudyRow& row : result.rows) row.published = published_times(row.rung);
  result.tables = correlate_tables(result, {});
  result.compared = correlate_compared(result, 0.5, true);
  testing::expect_all_shown("correlate", result.describe(), true, line_in_table);
  result.rows = testing::timed_rows("500x500", {{"shared.co.250x2", 10},
                                                {"local.co.texture", 4000},
                                                {"sum.global.co", 9000},
                                                {"scalar", 90},
                                                {"simd.1", 30}});
  const auto lines = correlate_compared(result, 0.5, true);
  EXPECT_EQ(testing::ratio_named(lines, "copies both ways over the fastest kernel, %"), 5);
  EXPECT_EQ(testing::ratio_named(lines, "the slowest variant of memory, s"), 4);
  EXPECT_EQ(testing::ratio_named(lines, "the fastest variant of memory, ms"), 10);
  EXPECT_EQ(testing::ratio_named(lines, "simd.1: times as fast as no SIMD"), 3);
}

TEST(CorrelateStudy, VerdictSaysYesOrNoAndTheEffort) {
  StudyResult result;
  EXPECT_TRUE(has(correlate_verdict(result), "nothing to judge"));
  result.rows = {timed("shared.co.250x2", 500, 80), timed("simd.16", 650, 20)};
  EXPECT_EQ(correlate_verdict(result),
            "Yes: simd.16 (650 ms, 20 lines) takes 1.3 times as long as shared.co.250x2 (500 ms, "
            "80 lines); in the paper it was 1.4 times (two Power7, 650 ms; Fermi, 465.74 ms).");
  result.rows.push_back(timed("ours.cpu.fft", 20, 300));
  result.rows.push_back(timed("ours.cuda.fft", 0.05, 400));
  const std::string text = correlate_verdict(result);
  EXPECT_EQ(text.rfind("No: ours.cpu.fft (20 ms, 300 lines) takes 400 times as long as "
                       "ours.cuda.fft (0.05 ms, 400 lines); of the paper's own programs simd.16",
                       0),
            0U)
      << text;
}

TEST(CorrelateStudy, PredictionsAreRatiosOfTheirRungs) {
  StudyResult result;
  result.rows = testing::timed_rows("500x500", {{"simd.1", 80},
                                                {"simd.16", 12},
                                                {"openmp.16", 15},
                                                {"pthreads.16", 18},
                                                {"fma", 10},
                                                {"wide.sse2", 12},
                                                {"wide.avx2", 6},
                                                {"eight.sse2", 3},
                                                {"eight.avx2", 1.5},
                                                {"ours.cpu.direct", 0.5},
                                                {"ours.cpu.fft", 0.1}});
  testing::expect_ratios(correlate_predictions(result),
                         {{"fused multiply-adds: simd.16 over fma", 1.2},
                          {"wider vectors: simd.16 over wide.sse2", 1},
                          {"wider vectors: simd.16 over wide.avx2", 2},
                          {"eight sums: wide.avx2 over eight.avx2", 4},
                          {"ours: eight.avx2 over ours.cpu.direct", 3},
                          {"threads: openmp.16 over simd.16", 1.25},
                          {"threads: pthreads.16 over simd.16", 1.5}});
  EXPECT_TRUE(correlate_predictions({}).empty());
  const std::string verdict = correlate_verdict(result);
  EXPECT_TRUE(testing::has(verdict, "ours.cpu.fft")) << "nothing of the prediction is a GPU's";
}

TEST(CorrelateStudy, TheClockIsThatOfAProcessor) {
  const double ghz = measured_ghz();
  EXPECT_GT(ghz, 0.3);
  EXPECT_LT(ghz, 8);
}

using CorrelateStudyOnCuda = testing::OnCuda;

// Shifts that are not multiples of a tile, odd sides, and the paper's size.
TEST_F(CorrelateStudyOnCuda, EveryRungIsRight) {
  const std::vector<int> sides =
      testing::run_small() ? std::vector<int>{61} : std::vector<int>{16, 17, 61, 128, 500, 512};
  Stream stream(0);
  for (const int side : sides)
    expect_right(correlate_cuda_rungs(), CorrelateCase(whole_planes(side), &stream), stream);
}

TEST_F(CorrelateStudyOnCuda, AWrongRungIsFound) {
  Stream stream(0);
  const CorrelateCase problem(scene_planes(64), &stream);
  const CorrelateRung& rung = correlate_cuda_rungs().front();
  PreparedRung lazy = prepare_rung(rung, problem, stream);
  lazy.run = [](Stream&) {};
  EXPECT_THROW(test_rung(rung, lazy, problem, stream), Error);
}

TEST_F(CorrelateStudyOnCuda, TheStudyTimesWhatItTested) {
  const StudyResult result = run_correlate_study(
      {.rungs = "sum,shared,local.co,row.sep.texture,simd,ours", .side = 64}, {});
  for (const StudyRow& row : result.rows) {
    if (!row.absent.empty()) continue;
    EXPECT_GT(row.ms.value_or(0), 0) << row.rung;
    EXPECT_EQ(row.of_peak.value_or(0) > 0, !row.rung.ends_with(".fft")) << row.rung;
    EXPECT_LT(row.error.value_or(1), 1e-4) << row.rung;
  }
  EXPECT_TRUE(has(result.describe(), "Table 2: src and mask rows in shared memory"));
  EXPECT_TRUE(has(result.verdict, "takes")) << result.verdict;
}

}  // namespace
}  // namespace tessera
