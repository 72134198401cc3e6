// SPDX-License-Identifier: Apache-2.0
// The kernels that multiply tiles, run thread by thread on the CPU, against exact sums.
#include <gtest/gtest.h>

#include "tests/support/poison.hpp"
#include "tests/support/tile_samples.hpp"
#include "tests/support/warp_groups_on_cpu.hpp"
// After the shims, which these are read through.
#include "ops/xengine/cuda/xengine_dp4a.cuh"
#include "ops/xengine/cuda/xengine_mma.cuh"
#include "ops/xengine/cuda/xengine_wgmma_sm90a.cuh"

namespace tessera {

/// The shared memory of the block that runs.
uint4 xengine_tile_memory[227 * 1024 / sizeof(uint4)];

namespace {

using testing::TileCase;
using testing::TileSamples;

constexpr int kCanary = 0x7eadbeef;

template <class Kernel>
void expect_exact(const TileCase& shape, unsigned threads, Kernel kernel) {
  const TileSamples samples(shape);
  const std::size_t count = 2UL * shape.channels * samples.values(), margin = 64;
  std::vector<int> old(count);
  std::mt19937 random(7);
  for (int& value : old) value = static_cast<int>(random());
  struct alignas(16) Four {
    int value[4];
  };
  std::vector<Four> memory((count + 2 * margin) / 4 + 1);
  int* const sums = memory[0].value + margin;
  std::fill_n(sums - margin, count + 2 * margin, kCanary);
  std::copy(old.begin(), old.end(), sums);
  std::fill(std::begin(xengine_tile_memory), std::end(xengine_tile_memory),
            uint4{0x93939393, 0x93939393, 0x93939393, 0x93939393});
  const XEngineTileArgs args{samples.bytes.data(), samples.channel_step,
                             samples.time_step,    shape.length,
                             samples.values(),     sums,
                             shape.channels,       shape.inputs,
                             shape.polarisations,  shape.add};
  testing::shared_memory = reinterpret_cast<unsigned char*>(xengine_tile_memory);
  testing::run_warps({2, 1}, threads, [&] { kernel(args); });
  const std::vector<int> exact = samples.sums(old);
  int wrong = 0;
  for (std::size_t n = 0; n < count && wrong < 5; ++n)
    if (sums[n] != exact[n]) {
      ADD_FAILURE() << shape.text() << ": part " << n << " is " << sums[n] << ", not " << exact[n];
      ++wrong;
    }
  for (std::size_t n = 0; n < margin; ++n) {
    EXPECT_EQ(sums[-1 - static_cast<long long>(n)], kCanary) << shape.text();
    EXPECT_EQ(sums[count + n], kCanary) << shape.text();
  }
}

/// Both layouts of a kernel: by default every other shape in one, the rest in the other, and the
/// other way round for the next kernel.
template <class Grouped, class Plain>
void expect_exact_tiles(int kernel, unsigned threads, Grouped grouped, Plain plain) {
  const std::vector<TileCase> in_groups = testing::tile_cases(true),
                              side_by_side = testing::tile_cases(false);
  for (std::size_t k = 0; k < in_groups.size(); ++k) {
    const bool first = (k + static_cast<std::size_t>(kernel)) % 2 == 0;
    if (first || testing::run_all()) expect_exact(in_groups[k], threads, grouped);
    if (!first || testing::run_all()) expect_exact(side_by_side[k], threads, plain);
  }
}

TEST(XEngineTilesOnCpu, Dp4aIsExact) {
  expect_exact_tiles(0, kTileThreads, xengine_dp4a_tiles<true>, xengine_dp4a_tiles<false>);
}

TEST(XEngineTilesOnCpu, MmaIsExact) {
  expect_exact_tiles(1, kTileThreads, xengine_mma_tiles<true>, xengine_mma_tiles<false>);
}

TEST(XEngineTilesOnCpu, WgmmaIsExact) {
  expect_exact_tiles(2, kWgmmaThreads, xengine_wgmma_tiles<true>, xengine_wgmma_tiles<false>);
}

}  // namespace
}  // namespace tessera
