// SPDX-License-Identifier: Apache-2.0
#include "ops/noise/study/noise_study.hpp"

#include <gtest/gtest.h>

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

/// The number of rungs that ran; all of them must be right, and make what their names say.
int expect_right(const std::vector<NoiseRung>& rungs, const NoiseCase& problem, Stream& stream) {
  return testing::expect_right(
      rungs, problem, stream, [](const NoiseRung& rung, const PreparedRung& prepared) {
        EXPECT_EQ(NoiseRungResult::of(prepared).made, made_by_noise_rung(rung.id));
      });
}

TEST(NoiseStudy, CpuRungsAreRight) {
  Stream stream;
  for (const auto& [side, box] :
       {std::pair{60, NoiseBox{48, 48}}, {40, NoiseBox{31, 24}}, {100, NoiseBox{16, 16}}})
    EXPECT_EQ(expect_right(noise_cpu_rungs(), {side, box, nullptr}, stream), 8);
}

TEST(NoiseStudy, WrongRungsAreFound) {
  Stream stream;
  const NoiseCase problem(48, {32, 32}, nullptr);
  testing::expect_lazy_found(noise_cpu_rungs(), problem, stream);
  const View<float> maps = problem.maps(false).as<float>();
  for (const NoiseRung& rung : noise_cpu_rungs()) {
    PreparedRung prepared = prepare_rung(rung, problem, stream);
    if (!prepared.absent.empty()) continue;
    const auto run = prepared.run;
    const bool counted = NoiseRungResult::of(prepared).truth == NoiseTruth::sorted;
    const auto by = static_cast<float>(counted ? 4 * problem.bound_by_hand() : 1e-4);
    prepared.run = [&](Stream& on) {
      run(on);
      maps.at(47, 31, 0, 1) += by;
    };
    expect_error([&] { test_rung(rung, prepared, problem, stream); }, ErrorKind::failure,
                 "the noise of pixel 47,31");
    prepared.run = [&](Stream& on) {
      run(on);
      maps.at(5, 40) = std::numeric_limits<float>::quiet_NaN();
    };
    expect_error([&] { test_rung(rung, prepared, problem, stream); }, ErrorKind::failure,
                 "pixel 5,40 is nan");
  }
}

// Rungs that sort make a band around the middle, and boxes of all sizes take about as long.
TEST(NoiseStudy, BandsHoldAsManyValuesWhateverTheBox) {
  const NoiseCase small(700, {64, 64}, nullptr), large(700, {256, 256}, nullptr);
  EXPECT_EQ(small.rows(NoiseMade::host), (Rows{0, 700}));
  EXPECT_EQ(small.rows(NoiseMade::host_band), (Rows{338, 361}));
  EXPECT_EQ(small.rows(NoiseMade::device_band), (Rows{256, 443}));
  EXPECT_EQ(large.rows(NoiseMade::host_band), (Rows{349, 350}));
}

TEST(NoiseStudy, RungsByHandHaveLinesOfCode) {
  testing::expect_code_lines(noise_cuda_rungs(), noise_cpu_rungs(), 5, 500,
                             [](const std::string& rung) { return has(rung, "ours"); });
}

TEST(NoiseStudy, BadOptionsAreRefused) {
  expect_error([] { run_noise_study({.search = 1}, {}); }, ErrorKind::usage, "--search");
  for (const int side : {0, 7, 8193})
    expect_error([&] { run_noise_study({.side = side}, {}); }, ErrorKind::usage, "--side");
  for (const char* sizes : {"8", "64x3", "1025", "x"})
    expect_error([&] { run_noise_study({.sizes = sizes}, {}); }, ErrorKind::usage, "--sizes");
  expect_error([] { run_noise_study({.rungs = "cpu.histgram"}, {}); }, ErrorKind::usage,
               "did you mean cpu.histogram");
}

TEST(NoiseStudy, WithoutADeviceTheCpuRuns) {
  if (!this_machine().devices.empty()) GTEST_SKIP() << "there is a device";
  const StudyResult result = testing::run_without_device(
      run_noise_study,
      {.sizes = "16,32x24", .rungs = "cpu.slide,cpu.threads,cpu.ours,gpu.slide", .side = 64},
      &StudyRow::gbytes);
  EXPECT_EQ(result.rows.size(), 10U);
  const std::string text = result.describe();
  EXPECT_TRUE(has(text, "noise: 64x64 pixels, box 16x16")) << text;
  EXPECT_TRUE(has(text, "noise: 64x64 pixels, box 32x24")) << text;
  EXPECT_FALSE(has(text, "gpu.slide")) << text;
  EXPECT_TRUE(has(text, "CPU: best by hand over ours, binned")) << text;
  EXPECT_TRUE(has(result.verdict, "On the CPU cpu.")) << result.verdict;
}

StudyResult timed_rungs() {
  StudyResult result{.study = "noise", .device = "some GPU"};
  result.rows = timed_rows("", {{"cpu.sort", 1600},
                                {"cpu.select", 400},
                                {"cpu.histogram", 200},
                                {"cpu.slide", 50},
                                {"cpu.follow", 40},
                                {"cpu.threads", 20},
                                {"cpu.ours.binned", 5},
                                {"cpu.ours.exact", 15},
                                {"gpu.sort", 80},
                                {"gpu.select", 60},
                                {"gpu.histogram", 30},
                                {"gpu.slide", 2},
                                {"gpu.stream", 4},
                                {"gpu.ours.binned", 0.5},
                                {"gpu.ours.exact", 1},
                                {"gpu.ours.host.binned", 2.5},
                                {"gpu.ours.host.exact", 3}});
  return result;
}

TEST(NoiseStudy, EveryPublishedStatementIsShown) {
  testing::expect_all_shown("noise", noise_tables(timed_rungs(), TransferTimes{1, 2, 0.5}, 1e6),
                            false);
}

TEST(NoiseStudy, RatiosAreOfTheBestOfTheirKind) {
  testing::expect_ratios(noise_ratios(timed_rungs(), TransferTimes{1, 2, 0.5}),
                         {{"CPU: sort over histogram of every box", 8},
                          {"CPU: sort over nth_element", 4},
                          {"CPU: histogram of every box over one that slides", 5},
                          {"CPU: one thread over all", 2},
                          {"CPU: best by hand over ours, binned", 4},
                          {"CPU: ours, exact over binned", 3},
                          {"GPU: best of sort and select over histogram", 2},
                          {"GPU: histogram of every box over one that slides", 15},
                          {"GPU: best by hand over ours, binned", 4},
                          {"GPU: ours, exact over binned", 2},
                          {"GPU: copies over compute", 0.75},
                          {"CPU over GPU, by hand", 10},
                          {"CPU over GPU, by hand, with copies both ways", 5},
                          {"CPU over GPU, ours, exact", 15},
                          {"CPU over GPU, ours, exact, with copies both ways", 5}});
  EXPECT_FALSE(testing::ratio_named(noise_ratios({}, {}), "CPU over GPU, by hand"));
}

TEST(NoiseStudy, TablesAndVerdictSayWhatTheTalkFound) {
  const std::string verdict = noise_verdict(timed_rungs());
  EXPECT_EQ(verdict,
            "On the CPU cpu.ours.binned is fastest: 5 ms; on the GPU gpu.ours.binned is fastest: "
            "0.5 ms; the GPU is 10 times as fast with its data in its own memory; by hand and with "
            "copies 5 times, where the talk "
            "found them about equal.");
  const std::string text = noise_tables(timed_rungs(), TransferTimes{1, 2, 0.5}, 1e6);
  EXPECT_TRUE(has(text, "upload 1.0000, compute 2.0000")) << text;
  EXPECT_TRUE(has(text, "\"similar speeds\" RMS, \"not worthwhile on GPU\" RMS")) << text;
  EXPECT_TRUE(has(text, "200.000")) << "megapixels of cpu.ours.binned per second" << text;
  EXPECT_TRUE(has(noise_verdict({}), "nothing to compare"));
}

using NoiseStudyOnCuda = testing::OnCuda;

TEST_F(NoiseStudyOnCuda, EveryRungIsRight) {
  Stream stream(0);
  for (const auto& [side, box] :
       {std::pair{90, NoiseBox{64, 64}}, {40, NoiseBox{31, 24}}, {300, NoiseBox{32, 32}}})
    EXPECT_EQ(expect_right(noise_cuda_rungs(), {side, box, &stream}, stream), 9);
}

TEST_F(NoiseStudyOnCuda, TheStudyTimesWhatRanAndShowsTheCopies) {
  const StudyResult result =
      run_noise_study({.rungs = "gpu.slide,gpu.stream,cpu.threads", .side = 128}, {});
  const std::string text = result.describe();
  EXPECT_TRUE(has(text, "upload ")) << text;
  EXPECT_TRUE(has(text, "CPU over GPU, by hand, with copies both ways")) << text;
  EXPECT_TRUE(has(result.verdict, "about equal")) << result.verdict;
}

}  // namespace
}  // namespace tessera
