// SPDX-License-Identifier: Apache-2.0
// The ladder's kernels, run thread by thread on the CPU, compared with the reference.
#include <gtest/gtest.h>

#include "ops/xengine/study/xengine_rungs.hpp"
#include "tests/support/block_on_cpu.hpp"
// After the shim, through which they are compiled.
#include "ops/xengine/study/sums_bodies.cuh"

namespace tessera {

/// The shared memory of the block that runs.
int sums_memory[kSumsSharedBytes / sizeof(int)];

namespace {

void expect_right(int inputs, int channels, int samples, GivenForm given,
                  void (*kernel)(const SumsArgs&)) {
  Stream stream;
  const XEngineCase problem(inputs, nullptr, channels, samples);
  const XEngineRoom& room = problem.room({given, MadeForm::full}, stream);
  const SumsArgs args{room.given, static_cast<int*>(room.made), inputs, samples};
  const auto tiles = static_cast<unsigned>((inputs + kSumsSide - 1) / kSumsSide);
  problem.poison({}, stream);
  testing::run_blocks({tiles, tiles * static_cast<unsigned>(channels)}, kSumsThreads,
                      [&] { kernel(args); });
  EXPECT_EQ(problem.disagreement({}, stream), "") << inputs << " " << channels << " " << samples;
}

TEST(SumsKernelsOnCpu, PairsAreRight) {
  for (const auto& [inputs, channels, samples] : {std::tuple{16, 1, 20}, {5, 3, 7}, {33, 2, 11}}) {
    expect_right(inputs, channels, samples, GivenForm::input_time, sums_it);
    expect_right(inputs, channels, samples, GivenForm::time_input, sums_ti);
    expect_right(inputs, channels, samples, GivenForm::time_input, sums_shared);
    expect_right(inputs, channels, samples, GivenForm::time_input, sums_registers);
  }
}

// left * right by plain loops: real parts of the sums, then imaginary ones.
TEST(SumsKernelsOnCpu, FactorsMultiplyToTheSums) {
  constexpr int kInputs = 7, kChannels = 3, kSamples = 13;
  Stream stream;
  const XEngineCase problem(kInputs, nullptr, kChannels, kSamples);
  const XEngineRoom& room = problem.room({GivenForm::time_input, MadeForm::split, true}, stream);
  constexpr long long kCount = 1LL * kInputs * kChannels * kSamples;
  std::vector<float> left(4 * kCount), right(2 * kCount);
  const FactorsArgs args{room.given, left.data(), right.data(), kInputs, kSamples, kCount};
  testing::run_blocks({static_cast<unsigned>((kCount + kSumsThreads - 1) / kSumsThreads), 1},
                      kSumsThreads, [&] { make_factors(args); });
  problem.poison({}, stream);
  auto* made = static_cast<float*>(room.made);
  for (int c = 0; c < kChannels; ++c)
    for (int row = 0; row < 2 * kInputs; ++row)
      for (int j = 0; j < kInputs; ++j) {
        float sum = 0;
        for (int k = 0; k < 2 * kSamples; ++k)
          sum += left[static_cast<std::size_t>((c * 2 * kInputs + row) * 2 * kSamples + k)] *
                 right[static_cast<std::size_t>((c * 2 * kSamples + k) * kInputs + j)];
        *made++ = sum;
      }
  EXPECT_EQ(problem.disagreement({}, stream), "");
}

}  // namespace
}  // namespace tessera
