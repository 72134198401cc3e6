// SPDX-License-Identifier: Apache-2.0
// The ladder's kernels, run thread by thread on the CPU, compared with the reference.
#include <gtest/gtest.h>

#include "ops/faraday/study/faraday_rungs.hpp"
#include "tests/support/block_on_cpu.hpp"

namespace tessera {
using std::fma;
}
// After the shim, through which they are compiled.
#include "ops/faraday/study/synth_bodies.cuh"

namespace tessera {

/// The shared memory of the block that runs.
double synth_memory[synth_shared_bytes(sizeof(double)) / sizeof(double)];

namespace {

template <class T>
void expect_right(int side, int channels, int depths, bool tiled) {
  Stream stream;
  const FaradayCase problem(side, nullptr, channels, depths);
  const FaradayRoom& room = problem.room(TypeOf<T>::value, FaradayForm::pixels, false, stream);
  const std::vector<std::complex<T>> turns = turns_as<T>(problem);
  const SynthArgs args{room.given, turns.data(), room.made, channels, depths, problem.pixels()};
  const auto blocks = [](long long count, int each) {
    return static_cast<unsigned>((count + each - 1) / each);
  };
  problem.poison({}, stream);
  if (tiled)
    testing::run_blocks({blocks(args.pixels, kSynthTile), blocks(depths, kSynthTile)},
                        kSynthThreads, [&] { synth_tiled<T>(args); });
  else
    testing::run_blocks({blocks(args.pixels * depths, kSynthThreads), 1}, kSynthThreads,
                        [&] { synth_naive<T>(args); });
  EXPECT_EQ(problem.disagreement({}, stream), "") << side << " " << channels << " " << depths;
}

TEST(SynthKernelsOnCpu, NaiveIsRight) {
  expect_right<float>(9, 20, 13, false);
  expect_right<double>(9, 20, 13, false);
}

TEST(SynthKernelsOnCpu, TilesAreRight) {
  for (const auto& [side, channels, depths] : {std::tuple{8, 16, 64}, {9, 17, 65}, {11, 3, 7}}) {
    expect_right<float>(side, channels, depths, true);
    expect_right<double>(side, channels, depths, true);
  }
}

}  // namespace
}  // namespace tessera
