// SPDX-License-Identifier: Apache-2.0
// Rungs 3 to 7 with the paper's other blocks and tiles, thread by thread on the CPU: the sums of a
// plain loop. Only a GPU can show speed and the driver.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "ops/convolve/study/ladder_shape.hpp"
// The shim, after all other headers, then what is read through it.
#include "tests/support/block_on_cpu.hpp"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-variable"
#define __global__
#define __grid_constant__
#define __launch_bounds__(threads)
namespace tessera::testing {
inline thread_local Place block_size;
}
#define blockDim ::tessera::testing::block_size
//
#include "ops/convolve/study/r03_shared_tile.cu"
#include "ops/convolve/study/r04_one_element.cu"
#include "ops/convolve/study/r04_unrolled.cuh"
#include "ops/convolve/study/r05_tiled.cuh"

namespace tessera {

float tile[1 << 14];  // the shared memory of every kernel

namespace {

constexpr int kWidth = 71, kHeight = 37;

/// An image with its border and a margin of NaN, a filter, and the sums of a plain loop.
class PlainCase {
 public:
  PlainCase(int filter_width, int filter_height) {
    std::mt19937 random(1);
    const auto value = [&] { return static_cast<float>(random() % 64) - 32; };  // exact sums
    LadderArgs& a = args_.ladder;
    a.width = kWidth;
    a.height = kHeight;
    a.filter_width = filter_width;
    a.filter_height = filter_height;
    a.in_row = kWidth + filter_width - 1 + kMargin;
    a.out_row = kWidth;
    in_.assign(a.in_row * (kHeight + filter_height - 1 + kMargin), NAN);
    for (int y = 0; y < kHeight + filter_height - 1; ++y)
      for (int x = 0; x < kWidth + filter_width - 1; ++x) in_[y * a.in_row + x] = value();
    for (int k = 0; k < filter_width * filter_height; ++k) args_.weights[k] = value();
    out_.resize(kWidth * kHeight);
    a.in = in_.data();
    a.out = out_.data();
  }

  /// A kernel with blocks that make made_x by made_y outputs.
  template <class Kernel>
  void expect_right(const LadderShape& shape, int made_x, int made_y, Kernel kernel) {
    ASSERT_LE(shape.shared_bytes, static_cast<int>(sizeof(tile)));
    args_.ladder.tile_row = shape.tile_row;
    std::fill(out_.begin(), out_.end(), NAN);
    const auto blocks = [](int outputs, int made) {
      return static_cast<unsigned>((outputs + made - 1) / made);
    };
    const auto block_x = static_cast<unsigned>(shape.block_x),
               block_y = static_cast<unsigned>(shape.block_y);
    testing::run_blocks({blocks(kWidth, made_x), blocks(kHeight, made_y)}, block_x * block_y, [&] {
      const testing::Place thread = threadIdx;
      blockDim = {block_x, block_y};
      threadIdx = {thread.x % block_x, thread.x / block_x};
      kernel(args_);
      threadIdx = thread;
    });
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x)
        ASSERT_EQ(out_[y * kWidth + x], plain(x, y)) << x << ", " << y;
  }

 private:
  static constexpr int kMargin = 160;

  float plain(int x, int y) const {
    const LadderArgs& a = args_.ladder;
    float sum = 0;
    for (int j = 0; j < a.filter_height; ++j)
      for (int i = 0; i < a.filter_width; ++i)
        sum += in_[(y + j) * a.in_row + x + i] * args_.weights[j * a.filter_width + i];
    return sum;
  }

  LadderConstants args_{};
  std::vector<float> in_, out_;
};

TEST(LadderKernels, SmallBlocksAreRight) {
  for (const auto& [width, height] : {std::pair{5, 5}, {2, 7}}) {
    PlainCase plain(width, height);
    plain.expect_right(tiled_shape(width, height, 16, 16, 1), 16, 16, shared_tile);
    plain.expect_right(tiled_shape(1, 1, 16, 16, 1), 17 - width, 17 - height, one_element);
  }
}

TEST(LadderKernels, PaddingColumnsChangeNothing) {
  PlainCase plain(5, 3);
  plain.expect_right(padded_shape(5, 3, 16, 16, 1), 16, 16, shared_tile);
  plain.expect_right(padded_shape(5, 3, 16, 16, 2), 32, 16, tiled<2>);
  plain.expect_right(padded_shape(5, 3, 16, 32, 3), 48, 32, tiled<3>);
}

TEST(LadderKernels, TheUnrolledPairIsRight) {
  constexpr int kSide = 5, kBlock = 16;
  PlainCase plain(kSide, kSide);
  constexpr UnrolledKnobs whole{kSide, kSide, kBlock, kBlock, 1, kSide - 1 + kBlock};
  plain.expect_right(tiled_shape(kSide, kSide, kBlock, kBlock, 1), kBlock, kBlock, unrolled<whole>);
  constexpr UnrolledKnobs one{kSide, kSide, kBlock, kBlock, 1, kBlock};
  plain.expect_right(tiled_shape(1, 1, kBlock, kBlock, 1), kBlock - kSide + 1, kBlock - kSide + 1,
                     one_element_unrolled<one>);
}

}  // namespace
}  // namespace tessera
