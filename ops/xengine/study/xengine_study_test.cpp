// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/study/xengine_study.hpp"

#include <gtest/gtest.h>

#include "study/code_lines.hpp"
#include "study/study_loops.hpp"
#include "tests/support/files.hpp"
#include "tests/support/study_rows.hpp"
#include "tests/support/text_has.hpp"

namespace tessera {
namespace {

using testing::expect_error;
using testing::has;
using testing::timed_rows;

/// How many rungs ran; all of them must be right, twice: sums must begin anew.
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
  for (const XEngineRung& rung : xengine_cpu_rungs()) {
    PreparedRung prepared = prepare_rung(rung, problem, stream);
    if (!prepared.absent.empty()) continue;
    const auto run = prepared.run;
    prepared.run = [](Stream&) {};
    EXPECT_THROW(test_rung(rung, prepared, problem, stream), Error) << rung.id << " does nothing";
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
  ASSERT_EQ(xengine_published().size(), 2u);
  EXPECT_EQ(published_value(xengine_published(), "-", 0, 0, "cpu_over_gpu"), 6);
  EXPECT_EQ(published_value(xengine_published(), "gpu.blas", 0, 0, "cpu_over_gpu"), 2);
}

TEST(XEngineStudy, RungsByHandHaveLinesOfCode) {
  for (const auto* rungs : {&xengine_cuda_rungs(), &xengine_cpu_rungs()})
    for (const XEngineRung& rung : *rungs) {
      if (has(rung.id, "ours")) continue;
      EXPECT_GT(code_lines_of(rung.files), 5) << rung.id;
      EXPECT_LT(code_lines_of(rung.files), 500) << rung.id;
    }
}

TEST(XEngineStudy, BadOptionsAreRefused) {
  expect_error([] { run_xengine_study({.sizes = "3-7"}, {}); }, ErrorKind::usage, "--sizes");
  expect_error([] { run_xengine_study({.search = 1}, {}); }, ErrorKind::usage, "--search");
  for (const int side : {0, 1, 1025})
    expect_error([&] { run_xengine_study({.side = side}, {}); }, ErrorKind::usage, "--side");
  expect_error([] { run_xengine_study({.rungs = "cpu.chrek"}, {}); }, ErrorKind::usage,
               "did you mean cpu.cherk");
  expect_error([] { XEngineCase(4, nullptr, 1, 1036); }, ErrorKind::usage, "1 to 1035");
}

TEST(XEngineStudy, WithoutADeviceTheCpuRuns) {
  if (!this_machine().devices.empty()) GTEST_SKIP() << "there is a device";
  expect_error([] { run_xengine_study({.side = 8, .backend = Backend::cuda}, {}); },
               ErrorKind::resources, "its rungs need a GPU, and there is none");
  long long told = 0;
  const StudyResult result =
      run_xengine_study({.side = 8}, [&](long long done, long long) { told += done >= 0; });
  EXPECT_EQ(told, std::ssize(result.rows));
  for (const StudyRow& row : result.rows) {
    EXPECT_TRUE(row.ms || !row.absent.empty()) << row.rung;
    EXPECT_EQ(row.gflops.value_or(0) > 0, row.ms.has_value()) << row.rung;
  }
  const std::string text = result.describe();
  EXPECT_TRUE(has(text, "CUDA rungs are absent: no GPU")) << text;
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
                                {"gpu.ours.mma", 0.5},
                                {"gpu.ours.host", 0.1}});
  const XEngineRatios r = xengine_ratios(result, XEngineTransfer{2, 4, 1});
  EXPECT_EQ(r.cpu_layout, 2);
  EXPECT_EQ(r.hand_over_blas, 3);
  EXPECT_EQ(r.gpu_layout, 2);
  EXPECT_EQ(r.global_over_shared, 2);
  EXPECT_EQ(r.shared_over_registers, 1.5);
  EXPECT_EQ(r.hand_over_cublas, 2);
  EXPECT_EQ(r.copies_over_compute, 0.75);
  EXPECT_EQ(r.one_over_several, 1.6);
  EXPECT_EQ(r.cpu_over_gpu, 15);
  EXPECT_EQ(r.cpu_over_gpu_ways, 6);
  EXPECT_EQ(r.blas_over_blas, 10);
  EXPECT_EQ(r.ours_over_blas_cpu, 2.5);
  EXPECT_EQ(r.ours_over_blas_gpu, 2);
  EXPECT_FALSE(xengine_ratios({}, {}).cpu_over_gpu);
  EXPECT_TRUE(has(xengine_verdict(result),
                  "On the CPU cpu.ours.dot is fastest: 4 ms; on the GPU gpu.ours.host is fastest: "
                  "0.1 ms; the GPU is 40 times as fast; by hand and with copies 6 times, where the "
                  "talk found 6."))
      << xengine_verdict(result);
  EXPECT_TRUE(has(xengine_tables(result, XEngineTransfer{2, 4, 1}), "upload 2.0000")) << "copies";
  EXPECT_TRUE(has(xengine_verdict({}), "nothing to compare"));
}

class XEngineStudyOnCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    if (this_machine().devices.empty())
      GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  }
};

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
  EXPECT_TRUE(has(text, "CPU over GPU, by hand, with both ways")) << text;
  EXPECT_TRUE(has(result.verdict, "where the talk found 6")) << result.verdict;
}

}  // namespace
}  // namespace tessera
