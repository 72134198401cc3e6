// SPDX-License-Identifier: Apache-2.0
#include "ops/enhance/study/enhance_study.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "ops/enhance/study/plain_steps.hpp"
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
using testing::expect_right;
using testing::has;
using testing::timed_rows;

/// Random values, at sizes that are not multiples of blocks, words and tiles.
Image random_scan(int width, int height) {
  return testing::random_image({width, height, 3}, Type::u8, 3);
}

const EnhanceRung& rung_named(const std::string& id) {
  return testing::rung_named(id, enhance_cuda_rungs(), enhance_cpu_rungs());
}

TEST(EnhanceStudy, TruthsAreTheStepsByHand) {
  Image scan({16, 16, 3}, Type::u8);
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 16; ++x)
      for (int c = 0; c < 3; ++c)
        scan.as<unsigned char>().at(x, y, c) = static_cast<unsigned char>(40 + 8 * x + 20 * c);
  const EnhanceCase problem(scan, nullptr);
  const auto grey = problem.truth(EnhanceResult::grey).as<unsigned char>();
  EXPECT_EQ(grey.at(0, 0), (77 * 40 + 151 * 60 + 28 * 80 + 128) / 256);  // 56
  EXPECT_EQ(problem.true_counts()[56], 16U) << "a column";
  EXPECT_EQ(problem.low(), 56);
  EXPECT_EQ(problem.high(), 56 + 8 * 15);
  const auto contrast = problem.truth(EnhanceResult::contrast).as<unsigned char>();
  EXPECT_EQ(contrast.at(0, 3), 0);
  EXPECT_EQ(contrast.at(1, 3), (8 * 255 + 60) / 120);
  EXPECT_EQ(contrast.at(15, 3), 255);
  // Columns 17 apart: inside the image weights cancel out.
  EXPECT_EQ(problem.truth(EnhanceResult::smooth).as<unsigned char>().at(7, 7), 7 * 17);
}

TEST(EnhanceStudy, CpuRungsAreRight) {
  Stream stream;
  for (const auto& [width, height] : {std::pair{16, 16}, {17, 19}, {101, 67}})
    EXPECT_GE(expect_right(enhance_cpu_rungs(), {random_scan(width, height), nullptr}, stream),
              kEnhanceSteps);
  expect_right(enhance_cpu_rungs(), {made_scan(120, 90), nullptr}, stream);
}

TEST(EnhanceStudy, WrongRungsAreFound) {
  Stream stream;
  const EnhanceCase problem(made_scan(64, 48), nullptr);
  for (const char* step : {"grey", "histogram", "contrast", "smooth"}) {
    const EnhanceRung& rung = rung_named(std::string(step) + ".plain");
    const PreparedRung right = prepare_rung(rung, problem, stream);
    EXPECT_NO_THROW(test_rung(rung, right, problem, stream));
    PreparedRung lazy = right, off_by_one = right;
    lazy.run = [](Stream&) {};
    expect_error([&] { test_rung(rung, lazy, problem, stream); }, ErrorKind::failure,
                 fmt::format("rung {}.plain (plain loops, one thread) on 64x48 is wrong", step));
    off_by_one.run = [&](Stream& on) {
      right.run(on);
      if (rung.id == "histogram.plain")
        ++problem.counts(EnhancePlace::host)[255];
      else
        ++problem.out(EnhancePlace::host).as<unsigned char>().at(63, 47);
    };
    EXPECT_THROW(test_rung(rung, off_by_one, problem, stream), Error) << step;
  }
}

TEST(EnhanceStudy, AMadeScanHasPaperRoundAScene) {
  const Image scan = made_scan(240, 240);
  const auto pixels = scan.as<unsigned char>();
  EXPECT_EQ(pixels.at(0, 0, 0), pixels.at(239, 239, 0));
  const EnhanceCase problem(scan, nullptr);
  const auto paper = std::ranges::max(problem.true_counts());
  EXPECT_GT(paper, 240U * 240 / 8) << "a value that many pixels have";
  EXPECT_GT(problem.high() - problem.low(), 100) << "and all the others";
}

TEST(EnhanceStudy, PublishedFiguresAreOfRungsThereAre) {
  double best_sum = 0;
  for (const PublishedFigure& figure : published_figures("enhance")) {
    if (figure.rung == "-") continue;
    EXPECT_EQ(rung_named(figure.rung).id, figure.rung);
    for (const char* best :
         {"grey.four", "histogram.shared", "contrast.branchless", "smooth.tiled"})
      if (figure.rung == best && figure.quantity == "ms") best_sum += figure.value;
  }
  EXPECT_NEAR(best_sum, published_total("kernels").value_or(0), 1e-9);
  EXPECT_EQ(published_total("transfers"), 54.6);
  EXPECT_EQ(published_total("all"), 4521.5);
}

TEST(EnhanceStudy, EveryRungHasLinesOfCode) {
  testing::expect_code_lines(enhance_cuda_rungs(), enhance_cpu_rungs(), 5, 10000);
}

TEST(EnhanceStudy, BadOptionsAreRefused) {
  testing::expect_refused(run_enhance_study, {0, 15, 30001}, "gray", "grey?");
  expect_error([] { run_enhance_study({.rungs = "grey.fuor"}, {}); }, ErrorKind::usage,
               "did you mean grey.four?");
}

TEST(EnhanceStudy, WithoutADeviceTheCpuRuns) {
  if (!this_machine().devices.empty()) GTEST_SKIP() << "there is a device";
  const StudyResult result =
      testing::run_without_device(run_enhance_study, {.side = 64}, &StudyRow::of_copy);
  const std::string text = result.describe();
  EXPECT_FALSE(has(text, "  grey.naive ")) << text;
  EXPECT_TRUE(has(text, "CPU: the paper's loops, added")) << text;
  EXPECT_TRUE(has(text, "the CPU's loops added, ms")) << text;
  for (const ComparedFigure& figure : result.compared)
    EXPECT_FALSE(figure.here) << "a figure of another size: " << figure.what;
  testing::expect_all_shown("enhance", text);
}

StudyResult whole_result() {
  StudyResult result{.study = "enhance", .device = "some GPU"};
  const std::string scan = fmt::format("{}x{}", kPaperWidth, kPaperHeight);
  result.rows = timed_rows(scan, {{"grey.naive", 0.5},
                                  {"grey.four", 0.25},
                                  {"grey.sixteen", 0.125},
                                  {"histogram.shared", 0.5},
                                  {"histogram.sixteen", 0.25},
                                  {"contrast.branchless", 0.125},
                                  {"smooth.tiled", 0.125},
                                  {"grey.plain", 40},
                                  {"histogram.plain", 30},
                                  {"contrast.plain", 20},
                                  {"smooth.plain", 10},
                                  {"grey.ours.cuda", 0.01},
                                  {"chain.ours.cuda.fused", 0.1},
                                  {"chain.ours.cuda.pinned", 5},
                                  {"chain.ours.one.fused", 4},
                                  {"chain.ours.all.fused", 2}});
  return result;
}

ScanTransfers some_transfers() {
  return {.grey_allocation = 0.25,
          .histogram_allocation = 0.125,
          .contrast_allocation = 0.125,
          .smooth_allocation = 0.25,
          .upload_ordinary = 2,
          .counts_download = 0.25,
          .download_ordinary = 1,
          .upload_pinned = 1.5,
          .download_pinned = 0.5};
}

TEST(EnhanceStudy, TotalsAddThePapersBestAndLeaveOursOut) {
  const EnhanceTotals totals = enhance_totals(whole_result(), some_transfers());
  EXPECT_EQ(totals.paper_gpu, 1.0);
  EXPECT_EQ(totals.transfers.copies_pinned(), 2.0);
  EXPECT_EQ(totals.transfers.allocations(), 0.75);
  EXPECT_EQ(totals.transfers.all_ordinary(), 4.0);
  EXPECT_EQ(totals.plain, 100);
  EXPECT_EQ(totals.fused, 0.1);
  EXPECT_FALSE(totals.steps);
  StudyResult lacking = whole_result();
  std::erase_if(lacking.rows, [](const StudyRow& row) { return row.rung == "smooth.tiled"; });
  EXPECT_FALSE(enhance_totals(lacking, {}).paper_gpu) << "a step is missing";
  const std::string text = enhance_tables(whole_result(), totals);
  for (const char* part : {"Grey (§2.1)", "0.2500", "30.7", "85.3", "4521.5", "3.0000", "5.0000"})
    EXPECT_TRUE(has(text, part)) << part << text;
}

TEST(EnhanceStudy, VerdictSaysHowMuchFaster) {
  EXPECT_TRUE(has(enhance_verdict({}, true), "nothing to add up"));
  const EnhanceTotals totals = enhance_totals(whole_result(), {});
  EXPECT_EQ(enhance_verdict(totals, true),
            "On the GPU our four steps take 0.1 ms, 10 times as fast as the paper's best programs "
            "here (1 ms), 307 times as fast as they were on a GTX 480 (30.7 ms); from and to "
            "page-locked memory 5 ms, 17.1 times as fast as the paper with copies and allocation "
            "(85.3 ms); on the CPU our four steps take 2 ms, 50 times as fast as plain loops (100 "
            "ms), 2.26e+03 times as fast as "
            "the paper's Xeon (4522 ms).");
  EXPECT_FALSE(has(enhance_verdict(totals, false), "307"));
}

TEST(EnhanceStudy, EveryPublishedFigureIsShownNextToTheSameHere) {
  StudyResult result = testing::result_of_all<EnhanceRung>(
      "enhance", "", {&enhance_cuda_rungs(), &enhance_cpu_rungs()});
  result.peak_gflops = 1000;
  result.tables = enhance_tables(result, {});
  EnhanceTotals totals;
  totals.paper_gpu = 10, totals.transfers = some_transfers(), totals.plain = 400;
  totals.transfers.upload_ordinary = 28;  // 30 in all
  result.compared = enhance_compared(result, totals, true);
  testing::expect_all_shown("enhance", result.describe());
  for (StudyRow& row : result.rows) row.ms = row.rung == "grey.plain" ? 100 : 10;
  const auto lines = enhance_compared(result, totals, true);
  const double pixels = 1.0 * kPaperWidth * kPaperHeight;
  EXPECT_EQ(testing::ratio_named(lines, "grey.four: times as fast as the CPU's loop"), 10);
  EXPECT_NEAR(*testing::ratio_named(lines, "grey.four: GFLOP/s by the paper's count"),
              39.0 / 4 * pixels / 1e7, 1e-9);
  EXPECT_NEAR(*testing::ratio_named(lines, "smooth.tiled: GB/s by the paper's count"),
              656.0 / 256 * pixels / 1e7, 1e-9);
  EXPECT_EQ(testing::ratio_named(lines, "loops over kernels"), 40);
  EXPECT_EQ(testing::ratio_named(lines, "loops over kernels, allocations and copies"), 10);
  EXPECT_EQ(testing::ratio_named(lines, "share of allocations and copies in all, %"), 75);
}

using EnhanceStudyOnCuda = testing::OnCuda;

TEST_F(EnhanceStudyOnCuda, EveryRungIsRight) {
  Stream stream(0);
  for (const auto& [width, height] : {std::pair{16, 16}, {17, 35}, {20, 20}, {131, 67}, {517, 301}})
    EXPECT_GE(expect_right(enhance_cuda_rungs(), {random_scan(width, height), &stream}, stream),
              16);
  if (testing::run_small()) return;
  expect_right(enhance_cuda_rungs(), {made_scan(kPaperWidth, 700), &stream}, stream);
}

TEST_F(EnhanceStudyOnCuda, WrongRungsAreFound) {
  Stream stream(0);
  const EnhanceCase problem(made_scan(64, 48), &stream);
  expect_right(enhance_cuda_rungs(), problem, stream);
  testing::expect_lazy_found(enhance_cuda_rungs(), problem, stream);
}

TEST_F(EnhanceStudyOnCuda, TheStudyTimesWhatItTested) {
  const StudyResult result = run_enhance_study({.side = 512}, {});
  for (const StudyRow& row : result.rows) {
    if (!row.absent.empty()) continue;
    EXPECT_GT(row.ms.value_or(0), 0) << row.rung;
    EXPECT_GT(row.gbytes.value_or(0), 0) << row.rung;
  }
  EXPECT_TRUE(has(result.describe(), "histogram.sixteen")) << result.describe();
  EXPECT_TRUE(has(result.verdict, "On the GPU our four steps take")) << result.verdict;
}

}  // namespace
}  // namespace tessera
