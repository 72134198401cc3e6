// SPDX-License-Identifier: Apache-2.0
// A contour settled by a warp, run thread by thread on the CPU, against one settled by one thread:
// the same bits.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "ops/cells/follow/cells_outline.hpp"
#include "tests/support/warps_on_cpu.hpp"
// After the shim, which this is read through.
#include "ops/cells/detect/cuda/cells_contour_warp.cuh"

namespace tessera {
namespace {

constexpr int kFrameSide = 64;

/// Gradients of a bright disc with a soft edge on uneven ground.
struct DiscGradients {
  std::vector<float> across, down;
  DiscGradients(double x, double y, double radius) {
    const auto value = [&](double i, double j) {
      return 10 * std::erfc((std::hypot(i - x, j - y) - radius) / 3) +
             0.5 * std::sin(1.3 * i + 0.7 * j);
    };
    for (int j = 0; j < kFrameSide; ++j)
      for (int i = 0; i < kFrameSide; ++i) {
        across.push_back(static_cast<float>((value(i + 1, j) - value(i - 1, j)) / 2));
        down.push_back(static_cast<float>((value(i, j + 1) - value(i, j - 1)) / 2));
      }
  }
  SplineImage<float> image() const { return {across.data(), down.data(), kFrameSide, kFrameSide}; }
};

TEST(CellsContourOnCpu, WarpsGiveTheBitsOfOneThread) {
  const OutlineTables<float> tables = outline_tables<float>();
  const ContourRules<float> rules{1.5F, 4, 16};
  int settled = 0, dropped = 0;
  // Centres and radii of the disc, then of the circle that it is sought with.
  for (const auto& [x, y, radius, cx, cy, r] : {std::array{32.3, 31.6, 9.0, 32.0, 32.0, 8.0},
                                                {30.0, 33.0, 11.0, 31.0, 32.0, 10.0},
                                                {8.0, 32.0, 9.0, 10.0, 31.0, 8.0},
                                                {62.0, 32.0, 7.0, 58.0, 32.0, 6.0},
                                                {32.0, 32.0, 9.0, 44.0, 40.0, 6.0}}) {
    const DiscGradients gradients(x, y, radius);
    const CellFind<float> start{static_cast<float>(cx), static_cast<float>(cy),
                                static_cast<float>(r), -3.0F, 0.0F};
    CellFind<float> alone = start;
    const bool settles = settle_contour(gradients.image(), tables.circle, 0.1F, rules, alone);
    std::array<bool, 32> said{};
    std::vector<CellFind<float>> together(32, start);
    CellsContourMemory memory{};
    testing::run_warps({1, 1}, 32, [&] {
      said[threadIdx.x] = cells_settle_contour(gradients.image(), tables.circle, 0.1F, rules,
                                               memory, together[threadIdx.x]);
    });
    for (std::size_t lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(said[lane], settles) << x << ", " << cx;
      EXPECT_EQ(together[lane].x, alone.x) << x << ", " << cx;
      EXPECT_EQ(together[lane].y, alone.y) << x << ", " << cx;
      EXPECT_EQ(together[lane].radius, alone.radius) << x << ", " << cx;
      EXPECT_EQ(together[lane].score, alone.score) << x << ", " << cx;
      EXPECT_EQ(together[lane].slope, alone.slope) << x << ", " << cx;
    }
    ++(settles ? settled : dropped);
  }
  EXPECT_GE(settled, 2);
  EXPECT_GE(dropped, 1);
}

}  // namespace
}  // namespace tessera
