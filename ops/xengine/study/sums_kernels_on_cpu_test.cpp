// SPDX-License-Identifier: Apache-2.0
// The ladder's kernels, run thread by thread on the CPU, compared with the reference.
#include <gtest/gtest.h>

#include "ops/xengine/study/xengine_rungs.hpp"
#include "tests/support/block_on_cpu.hpp"

/// A texture is an address here.
struct char2 {
  signed char x, y;
};
template <class T>
T tex1Dfetch(unsigned long long texture, int texel) {
  return reinterpret_cast<const T*>(texture)[texel];
}

// After the shim, through which they are compiled.
#include "ops/xengine/study/plane_sums.cuh"
#include "ops/xengine/study/texture_sums.cuh"
#include "ops/xengine/study/tiled_sums.cuh"

namespace tessera {

/// The shared memory of the block that runs.
int sums_memory[kSumsSharedBytes / sizeof(int)];

namespace {

struct SumsShape {
  int inputs, channels, samples;
};

/// Three cycles, of which the last two are added; `each`: pairs of a thread each way.
void expect_right(const SumsShape& shape, const XEngineRoomKind& kind,
                  const std::function<void(const SumsArgs&)>& kernel, int each = 1) {
  Stream stream;
  const XEngineCase problem(shape.inputs, nullptr, shape.channels, shape.samples, 3);
  const XEngineRoom& room = problem.room(kind, stream);
  const int side = each * kSumsSide;
  const auto tiles = static_cast<unsigned>((shape.inputs + side - 1) / side);
  problem.poison({}, stream);
  for (int cycle = 0; cycle < problem.cycles(); ++cycle) {
    const SumsArgs args{room.given_of(cycle), static_cast<int*>(room.made), shape.inputs,
                        shape.samples, cycle > 0};
    testing::run_each_thread({tiles, tiles * static_cast<unsigned>(shape.channels)}, kSumsThreads,
                             [&] { kernel(args); });
  }
  EXPECT_EQ(problem.disagreement({}, stream), "")
      << shape.inputs << " " << shape.channels << " " << shape.samples;
}

TEST(SumsKernelsOnCpu, PairsAreRight) {
  const XEngineRoomKind it{GivenForm::input_time, MadeForm::full},
      ti{GivenForm::time_input, MadeForm::full}, planes{GivenForm::planes, MadeForm::split};
  for (const SumsShape& shape : {SumsShape{16, 1, 20}, {5, 3, 7}, {33, 2, 11}}) {
    expect_right(shape, it, sums_it);
    expect_right(shape, ti, sums_ti);
    expect_right(shape, ti, sums_shared<false>);
    expect_right(shape, ti, sums_shared<true>);
    expect_right(shape, ti, sums_registers);
    expect_right(shape, planes, plane_sums_shared);
    expect_right(shape, planes, plane_sums_registers);
    expect_right(shape, ti, tiled_sums<2>, 2);
    expect_right(shape, ti, tiled_sums<4>, 4);
    constexpr int kBefore = 3;  // texels, of which the kernel is told
    expect_right(shape, ti, [](const SumsArgs& a) {
      texture_sums({a, reinterpret_cast<unsigned long long>(a.given - 2 * kBefore), kBefore});
    });
  }
}

TEST(SumsKernelsOnCpu, BytesBecomeFloats) {
  std::vector<signed char> given(kSumsThreads + 3);
  for (std::size_t k = 0; k < given.size(); ++k) given[k] = static_cast<signed char>(37 * k);
  std::vector<float> made(given.size() + 1, -1000);
  const ComplexArgs args{given.data(), made.data(), static_cast<long long>(given.size())};
  testing::run_each_thread({2, 1}, kSumsThreads, [&] { make_complex(args); });
  for (std::size_t k = 0; k < given.size(); ++k) EXPECT_EQ(made[k], given[k]);
  EXPECT_EQ(made.back(), -1000);
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
