// SPDX-License-Identifier: Apache-2.0
// The outline by a warp, run thread by thread on the CPU, against the outline by one thread: the
// same bits.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "ops/cells/follow/cells_outline.hpp"
#include "tests/support/warps_on_cpu.hpp"
// After the shim, which this is read through.
#include "ops/cells/follow/cuda/cells_shape_warp.cuh"

namespace tessera {
namespace {

constexpr int kWindowSide = 49;

/// Gradients of a bright ellipse with a soft edge.
OutlineWindow<float> ellipse_window(double x, double y, double longer, double shorter,
                                    double angle) {
  const auto value = [&](double i, double j) {
    const double dx = i - x, dy = j - y, turned = std::atan2(dy, dx) - angle;
    const double edge =
        longer * shorter / std::hypot(shorter * std::cos(turned), longer * std::sin(turned));
    return 10 * std::erfc((std::hypot(dx, dy) - edge) / 3) + 0.1 * std::sin(1.3 * i + 0.7 * j);
  };
  OutlineWindow<float> window;
  window.at = {0, 0, kWindowSide, kWindowSide};
  for (int j = 0; j < kWindowSide; ++j)
    for (int i = 0; i < kWindowSide; ++i) {
      window.across.push_back(static_cast<float>((value(i + 1, j) - value(i - 1, j)) / 2));
      window.down.push_back(static_cast<float>((value(i, j + 1) - value(i, j - 1)) / 2));
    }
  return window;
}

struct OutlineFound {
  bool clear = false;
  std::array<float, kSnaxels> radii{};
};

TEST(CellsShapeOnCpu, WarpsGiveTheBitsOfOneThread) {
  const OutlineTables<float> tables = outline_tables<float>();
  const CellsDirections directions{tables.star, tables.circle};
  int clear = 0, doubtful = 0;
  for (const auto& [x, y, longer, shorter, angle] : {std::array{24.3, 23.6, 9.0, 9.0, 0.0},
                                                     {23.8, 24.4, 11.0, 8.0, 0.7},
                                                     {24.0, 24.0, 13.0, 7.5, 2.1},
                                                     {6.0, 24.0, 9.0, 8.0, 1.0},
                                                     {24.0, 24.0, 3.0, 3.0, 0.0}}) {
    const OutlineWindow<float> window = ellipse_window(x, y, longer, shorter, angle);
    const CirclePlace<float> place{static_cast<float>(x) + 0.2F, static_cast<float>(y) - 0.1F, 9};
    OutlineFound alone, together;
    alone.clear = outline_around(window, tables, -1.0F, place.x, place.y, 9.0F, alone.radii.data());
    const CellsSlopes slopes{window.across.data(), window.down.data(), kWindowSide, kWindowSide};
    std::array<bool, 32> said{};
    testing::run_warps({1, 1}, 32, [&] {
      said[threadIdx.x] =
          cells_outline_around(directions, slopes, -1.0F, place, 9.0F, together.radii.data());
    });
    EXPECT_EQ(alone.radii, together.radii) << x << ", " << longer;
    for (const bool lane : said) EXPECT_EQ(lane, alone.clear) << x << ", " << longer;
    ++(alone.clear ? clear : doubtful);
  }
  EXPECT_GE(clear, 3);
  EXPECT_GE(doubtful, 1);
}

}  // namespace
}  // namespace tessera
