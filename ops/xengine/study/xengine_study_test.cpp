// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/study/xengine_study.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <cstring>

#include "core/device_blas.hpp"
#include "ops/xengine/study/plain_xengine_reorder.hpp"
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
    for (const int cycles : {1, 2, 5})
      EXPECT_GE(
          expect_right(xengine_cpu_rungs(), {inputs, nullptr, channels, samples, cycles}, stream),
          5);
}

// The sums of a cycle are those of the reference; two cycles that differ take turns.
TEST(XEngineStudy, CyclesAreAdded) {
  Stream stream;
  const XEngineCase problem(3, nullptr, 2, 7, 5);
  const XEngineRoom& room = problem.room({GivenForm::time_input, MadeForm::full}, stream);
  EXPECT_NE(std::memcmp(room.given_of(0), room.given_of(1), 84), 0);
  EXPECT_EQ(room.given_of(4), room.given_of(0));
  std::vector<int> sums(2 * 3 * 3 * 2, 0);
  for (int cycle = 0; cycle < 5; ++cycle)
    for (int c = 0; c < 2; ++c)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          for (int t = 0; t < 7; ++t) {
            const signed char* const x = room.given_of(cycle) + 2 * ((c * 7 + t) * 3 + i);
            const signed char* const y = room.given_of(cycle) + 2 * ((c * 7 + t) * 3 + j);
            int* const sum = &sums[2UL * static_cast<unsigned>((c * 3 + i) * 3 + j)];
            sum[0] += x[0] * y[0] + x[1] * y[1];
            sum[1] += x[1] * y[0] - x[0] * y[1];
          }
  std::memcpy(room.made, sums.data(), sizeof(int) * sums.size());
  EXPECT_EQ(problem.disagreement({}, stream), "");
  ++static_cast<int*>(room.made)[5];
  EXPECT_NE(problem.disagreement({}, stream), "");
}

// By plain loops: A A* in columns, as the talk's host prepares it.
TEST(XEngineStudy, TheHostReordersIntoColumns) {
  constexpr int kInputs = 5, kSamples = 11;
  Stream stream;
  const XEngineCase problem(kInputs, nullptr, 1, kSamples);
  const XEngineRoom& room = problem.room({GivenForm::input_time, MadeForm::columns, true}, stream);
  std::vector<std::complex<float>> matrix(kInputs * kSamples);
  reorder_for_blas(room.given, kInputs, kSamples, matrix.data());
  auto* const made = static_cast<std::complex<float>*>(room.made);
  for (int j = 0; j < kInputs; ++j)
    for (int i = 0; i < kInputs; ++i) {
      std::complex<float> sum = 0;
      for (int t = 0; t < kSamples; ++t)
        sum += matrix[static_cast<std::size_t>(t * kInputs + i)] *
               std::conj(matrix[static_cast<std::size_t>(t * kInputs + j)]);
      made[j * kInputs + i] = sum;
    }
  EXPECT_EQ(problem.disagreement({}, stream), "");
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
  EXPECT_EQ(published_value(published_figures("xengine"), "gpu.blas.host", 0, 0, "cpu_over_gpu"),
            2);
}

TEST(XEngineStudy, RungsByHandHaveLinesOfCode) {
  testing::expect_code_lines(xengine_cuda_rungs(), xengine_cpu_rungs(), 5, 500,
                             [](const std::string& rung) { return has(rung, "ours"); });
}

TEST(XEngineStudy, BadOptionsAreRefused) {
  testing::expect_refused(run_xengine_study, {0, 1, 1025}, "cpu.chrek", "cpu.cherk");
  expect_error([] { XEngineCase(4, nullptr, 1, 1 << 20, 9); }, ErrorKind::usage, "1 to 8388608");
  expect_error(
      [] {
        run_xengine_study({.own = {{"cycles", "241"}}}, {});
      },
      ErrorKind::usage, "1 to 240");
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
                                {"gpu.shared.banks", 2.5},
                                {"gpu.shared.more-l1", 2},
                                {"gpu.shared.less-l1", 3},
                                {"gpu.registers", 2},
                                {"gpu.planes.shared", 2.4},
                                {"gpu.planes.registers", 4.8},
                                {"gpu.tiles.2", 1.6},
                                {"gpu.tiles.4", 1},
                                {"gpu.texture", 4},
                                {"gpu.blas", 1},
                                {"gpu.blas.complex", 2},
                                {"gpu.stream", 8},
                                {"gpu.streams", 5},
                                {"gpu.blas.stream", 4},
                                {"gpu.blas.streams", 2},
                                {"gpu.blas.host", 9},
                                {"gpu.blas.host.streams", 6},
                                {"gpu.ours.mma", 0.5},
                                {"gpu.ours.host", 0.1}});
  const XEngineTransfers transfer{XEngineParts{{2, 4, 1}}, XEngineParts{{3, 2, 1}, 3}};
  testing::expect_ratios(xengine_ratios(result, transfer),
                         {{"CPU: [time][input] over [input][time]", 2},
                          {"CPU: best by hand over CBLAS", 3},
                          {"CPU: CBLAS over ours", 2.5},
                          {"GPU: [input][time] over [time][input]", 2},
                          {"GPU: sums in global memory over the talk's planes in shared", 2.5},
                          {"GPU: the talk's planes, shared memory over registers", 0.5},
                          {"GPU: sums in global over shared memory", 2},
                          {"GPU: bank conflicts over none", 1.2},
                          {"GPU: as little L1 as there can be over as much", 1.5},
                          {"GPU: sums in shared memory over registers", 1.25},
                          {"GPU: loads over texture units", 0.5},
                          {"GPU: one pair per thread over the best tiles", 2},
                          {"GPU: best by hand over cuBLAS", 2},
                          {"GPU: complex product over a real one", 2},
                          {"GPU: copies over compute", 0.75},
                          {"GPU: one stream over four", 1.6},
                          {"GPU: cgemm, the host's reordering over copies and compute", 0.5},
                          {"GPU: cgemm with reordering, one stream over four", 1.5},
                          {"GPU: cuBLAS over ours", 2},
                          {"CPU over GPU, by hand", 15},
                          {"CPU over GPU, by hand, with copies both ways", 6},
                          {"CPU over GPU, BLAS, no copies", 10},
                          {"CPU over GPU, BLAS, with copies both ways", 5},
                          {"CPU over GPU, cgemm, with copies and the host's reordering", 2}});
  EXPECT_FALSE(testing::ratio_named(xengine_ratios({}, {}), "CPU over GPU, by hand"));
  EXPECT_TRUE(has(xengine_verdict(result),
                  "On the CPU cpu.ours.dot is fastest: 4 ms; on the GPU gpu.ours.host is fastest: "
                  "0.1 ms; the GPU is 40 times as fast; by hand and with copies 6 times, where the "
                  "talk found 6; by cgemm, with copies and the host's reordering, 2 times, where "
                  "the talk found 2."))
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
    for (const int cycles : {1, 3})
      EXPECT_GE(
          expect_right(xengine_cuda_rungs(), {inputs, &stream, channels, samples, cycles}, stream),
          14);
}

TEST_F(XEngineStudyOnCuda, TheStudyTimesWhatRanAndShowsTheCopies) {
  const StudyResult result =
      run_xengine_study({.rungs = "gpu.registers,gpu.stream,gpu.blas.host,cpu.threads",
                         .side = 32,
                         .own = {{"cycles", "3"}}},
                        {});
  const std::string text = result.describe();
  EXPECT_TRUE(has(text, "32 inputs, 64 channels, 1000 samples, 3 cycles")) << text;
  EXPECT_EQ(has(text, "reordering "), why_no_device_blas().empty()) << text;
  EXPECT_TRUE(has(text, "upload ")) << text;
  EXPECT_TRUE(has(text, "CPU over GPU, by hand, with copies both ways")) << text;
  EXPECT_TRUE(has(result.verdict, "where the talk found 6")) << result.verdict;
}

}  // namespace
}  // namespace tessera
