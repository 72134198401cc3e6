// SPDX-License-Identifier: Apache-2.0
// The ladder's kernels, run thread by thread on the CPU, compared with the reference.
#include <gtest/gtest.h>

#include "ops/noise/study/noise_rungs.hpp"
#include "tests/support/warps_on_cpu.hpp"
// After the shim, through which they are compiled.
#include "ops/noise/study/box_slide_bodies.cuh"

namespace tessera {

/// The shared memory of the block that runs.
int box_study_memory[kBoxStudyRows * kBoxStudyCounts];

namespace {

unsigned blocks(long long work, int each) {
  return static_cast<unsigned>((work + each - 1) / each);
}

/// Compares the results of run(args) with the reference.
template <class Run>
void expect_right(const NoiseCase& problem, Rows made, NoiseTruth truth, Run run) {
  Stream stream;
  PreparedRung rung;
  rung.truth = NoiseRungResult{NoiseMade::host, truth}.number();
  problem.poison(rung, stream);
  BoxStudyArgs args = problem.args(NoiseMade::host);
  for (const Rows rows : {Rows{0, made.first}, made, Rows{made.end, problem.side()}}) {
    args.made = rows;
    if (rows.count() > 0) run(args);
  }
  EXPECT_EQ(problem.disagreement(rung, stream), "") << problem.name();
}

TEST(BoxKernelsOnCpu, ThreadsOfTheirOwnAreRight) {
  for (const auto& [side, box] : {std::pair{20, NoiseBox{16, 16}}, {11, NoiseBox{17, 30}}}) {
    const NoiseCase problem(side, box, nullptr);
    const long long all = 1LL * side * side;
    std::vector<float> room(static_cast<std::size_t>(all * box.width * box.height));
    for (const auto& kernel : {box_sort, box_select})
      expect_right(problem, {3, 9}, NoiseTruth::exact, [&](BoxStudyArgs args) {
        args.room = room.data();
        testing::run_each_thread({blocks(1LL * side * args.made.count(), kBoxStudyThreads), 1},
                                 kBoxStudyThreads, [&] { kernel(args); });
      });
  }
}

TEST(BoxKernelsOnCpu, HistogramsOfBlocksAreRight) {
  const NoiseCase problem(9, {16, 20}, nullptr);
  expect_right(problem, {2, 8}, NoiseTruth::sorted, [&](const BoxStudyArgs& args) {
    testing::run_blocks({static_cast<unsigned>(9 * args.made.count()), 1}, kBoxStudyThreads,
                        [&] { box_histogram(args); });
  });
}

TEST(BoxKernelsOnCpu, HistogramsThatSlideAreRight) {
  const NoiseCase problem(9, {16, 20}, nullptr);
  expect_right(problem, {0, 9}, NoiseTruth::sorted, [&](const BoxStudyArgs& args) {
    testing::run_warps({blocks(9, kBoxStudyRun), blocks(args.made.count(), kBoxStudyRows)},
                       kBoxStudyThreads, [&] { box_slide(args); });
  });
}

}  // namespace
}  // namespace tessera
