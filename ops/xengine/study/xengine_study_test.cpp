// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/study/xengine_study.hpp"

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

/// The number of rungs that ran; all of them must be right, twice: sums must begin at zero again.
int expect_right(const std::vector<XEngineRung>& rungs, const XEngineCase& problem,
                 Stream& stream) {
  return testing::expect_right(rungs, problem, stream,
                               [&](const XEngineRung& rung, const PreparedRung& prepared) {
                                 EXPECT_NO_THROW(test_rung(rung, prepared, problem, stream));
                               });
}

TEST(XEngineStudy, CpuRungsAreRight) {
  Stream stream;
  for (const auto& [inputs, channels, samples] :
       {std::tuple{8, 3, 1000}, {33, 2, 129}, {16, 5, 1}, {2, 1, 37}})
    EXPECT_GE(expect_right(xengine_cpu_rungs(), {inputs, nullptr, channels, samples}, stream), 5);
}

TEST(XEngineStudy, WrongRungsAreFound) {
  Stream stream;
  const XEngineCase problem(9, nullptr, 3, 50);
  testing::expect_lazy_found(xengine_cpu_rungs(), problem, stream);
  for (const XEngineRung& rung : xengine_cpu_rungs()) {
    PreparedRung prepared = prepare_rung(rung, problem, stream);
    if (!prepared.absent.empty()) continue;
    const auto run = prepared.run;
    prepared.run = [&](Stream& on) {
      run(on);
      auto* const made = static_cast<unsigned char*>(problem.last_room().host_made.address(0, 2));
      made[problem.made_bytes(problem.last_room().kind.made) - 8] ^= 1;  // the last real part
    };
    expect_error([&] { test_rung(rung, prepared, problem, stream); }, ErrorKind::failure,
                 "inputs 8 and 8 in channel 2");
  }
}

TEST(XEngineStudy, PublishedFiguresAreThere) {
  EXPECT_EQ(published_value(published_figures("xengine"), "-", 0, 0, "cpu_over_gpu"), 6);
  EXPECT_EQ(published_value(published_figures("xengine"), "gpu.blas", 0, 0, "cpu_over_gpu"), 2);
}

TEST(XEngineStudy, RungsByHandHaveLinesOfCode) {
  testing::expect_code_lines(xengine_cuda_rungs(), xengine_cpu_rungs(), 5, 500,
                             [](const std::string& rung) { return has(rung, "ours"); });
}

TEST(XEngineStudy, BadOptionsAreRefused) {
  testing::expect_refused(run_xengine_study, {0, 1, 1025}, "cpu.chrek", "cpu.cherk");
  expect_error([] { XEngineCase(4, nullptr, 1, 1036); }, ErrorKind::usage, "1 to 1035");
}

TEST(XEngineStudy, WithoutADeviceTheCpuRuns) {
  if (!this_machine().devices.empty()) GTEST_SKIP() << "there is a device";
  const StudyResult result =
      testing::run_without_device(run_xengine_study, {.side = 8}, &StudyRow::gflops);
  const std::string text = result.describe();
  EXPECT_FALSE(has(text, "gpu.shared")) << text;
  EXPECT_TRUE(has(text, "CPU: [time][input] over [input][time]")) << text;
  EXPECT_TRUE(has(result.verdict, "On the CPU cpu.")) << result.verdict;
}

TEST(XEngineStudy, RatiosAreOfTheBestOfTheirKind) {
  StudyResult result{.study = "xengine", .device = "some GPU"};
  result.rows = timed_rows("", {{"cpu.ti", 100},
                                {"cpu.it", 50},
                                {"cpu.threads", 30},
                                {"cpu.cgemm", 12},
                                {"cpu.cherk", 10},
                                {"cpu.ours.dot", 4},
                                {"gpu.it", 12},
                                {"gpu.ti", 6},
                                {"gpu.shared", 3},
                                {"gpu.registers", 2},
                                {"gpu.blas", 1},
                                {"gpu.stream", 8},
                                {"gpu.streams", 5},
                                {"gpu.blas.stream", 4},
                                {"gpu.ours.mma", 0.5},
                                {"gpu.ours.host", 0.1}});
  const TransferTimes transfer{2, 4, 1};
  testing::expect_ratios(xengine_ratios(result, transfer),
                         {{"CPU: [time][input] over [input][time]", 2},
                          {"CPU: best by hand over CBLAS", 3},
                          {"CPU: CBLAS over ours", 2.5},
                          {"GPU: [input][time] over [time][input]", 2},
                          {"GPU: sums in global over shared memory", 2},
                          {"GPU: sums in shared memory over registers", 1.5},
                          {"GPU: best by hand over cuBLAS", 2},
                          {"GPU: copies over compute", 0.75},
                          {"GPU: one stream over four", 1.6},
                          {"GPU: cuBLAS over ours", 2},
                          {"CPU over GPU, by hand", 15},
                          {"CPU over GPU, by hand, with copies both ways", 6},
                          {"CPU over GPU, BLAS, no copies", 10},
                          {"CPU over GPU, BLAS, with copies both ways", 2.5}});
  EXPECT_FALSE(testing::ratio_named(xengine_ratios({}, {}), "CPU over GPU, by hand"));
  EXPECT_TRUE(has(xengine_verdict(result),
                  "On the CPU cpu.ours.dot is fastest: 4 ms; on the GPU gpu.ours.host is fastest: "
                  "0.1 ms; the GPU is 40 times as fast; by hand and with copies 6 times, where the "
                  "talk found 6."))
      << xengine_verdict(result);
  EXPECT_TRUE(has(xengine_tables(result, transfer), "upload 2.0000")) << "copies";
  testing::expect_all_shown("xengine", xengine_tables(result, transfer), false);
  EXPECT_TRUE(has(xengine_verdict({}), "nothing to compare"));
}

using XEngineStudyOnCuda = testing::OnCuda;

TEST_F(XEngineStudyOnCuda, EveryRungIsRight) {
  Stream stream(0);
  for (const auto& [inputs, channels, samples] :
       {std::tuple{16, 3, 1000}, {33, 2, 129}, {130, 5, 16}, {2, 1, 37}})
    EXPECT_GE(expect_right(xengine_cuda_rungs(), {inputs, &stream, channels, samples}, stream), 7);
}

TEST_F(XEngineStudyOnCuda, TheStudyTimesWhatRanAndShowsTheCopies) {
  const StudyResult result =
      run_xengine_study({.rungs = "gpu.registers,gpu.stream,cpu.threads", .side = 32}, {});
  const std::string text = result.describe();
  EXPECT_TRUE(has(text, "upload ")) << text;
  EXPECT_TRUE(has(text, "CPU over GPU, by hand, with copies both ways")) << text;
  EXPECT_TRUE(has(result.verdict, "where the talk found 6")) << result.verdict;
}

}  // namespace
}  // namespace tessera
