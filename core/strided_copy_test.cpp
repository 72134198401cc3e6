// SPDX-License-Identifier: Apache-2.0
#include "core/strided_copy.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

namespace tessera {
namespace {

using Bytes = std::vector<unsigned char>;

Bytes counted_bytes(std::size_t count) {
  Bytes bytes(count);
  for (std::size_t k = 0; k < count; ++k) bytes[k] = static_cast<unsigned char>(k * 7 + k / 251);
  return bytes;
}

/// The same by plain loops over three axes.
Bytes plain_copy(const std::array<CopyAxis, 3>& axes, long long item, const unsigned char* from,
                 std::size_t bytes) {
  Bytes to(bytes, 0xee);
  for (long long a = 0; a < axes[0].count; ++a)
    for (long long b = 0; b < axes[1].count; ++b)
      for (long long c = 0; c < axes[2].count; ++c)
        for (long long k = 0; k < item; ++k)
          to[static_cast<std::size_t>(a * axes[0].to + b * axes[1].to + c * axes[2].to + k)] =
              from[a * axes[0].from + b * axes[1].from + c * axes[2].from + k];
  return to;
}

/// With any number of threads, and without a byte outside.
void expect_plain(std::array<CopyAxis, 3> axes, long long item, const unsigned char* from) {
  const auto bytes = static_cast<std::size_t>(pack_axes(axes, item));
  ASSERT_EQ(bytes, static_cast<std::size_t>(item * axes[0].count * axes[1].count * axes[2].count));
  const Bytes expected = plain_copy(axes, item, from, bytes);
  for (const int threads : {1, 4}) {
    Bytes to(bytes + 16, 0xee);
    copy_strided(axes, item, from, to.data(), threads);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), to.begin())) << threads << " threads";
    EXPECT_EQ(Bytes(to.end() - 16, to.end()), Bytes(16, 0xee));
  }
}

TEST(StridedCopy, AxesWithGapsInAnyOrder) {
  const Bytes from = counted_bytes(4096);
  expect_plain({CopyAxis{3, 700}, {5, 4}, {4, 130}}, 4, from.data());
  expect_plain({CopyAxis{5, 4}, {4, 130}, {3, 700}}, 2, from.data());
}

TEST(StridedCopy, StepsMayGoBackwards) {
  const Bytes from = counted_bytes(4096);
  expect_plain({CopyAxis{5, -200}, {7, 8}, {1, 3}}, 8, from.data() + 2048);
}

TEST(StridedCopy, RunsLongerThanAThreadTakesAtATime) {
  const long long run = 2'600'000;
  const Bytes from = counted_bytes(static_cast<std::size_t>(3 * run + 3000));
  expect_plain({CopyAxis{run, 1}, {3, run + 1000}, {1, 0}}, 1, from.data());
}

TEST(StridedCopy, ManyShortRunsAreSharedByThreads) {
  const Bytes from = counted_bytes(12'000'000);
  expect_plain({CopyAxis{900'000, 12}, {2, 4}, {1, 0}}, 2, from.data());
}

TEST(StridedCopy, OneValueKeepsTheOrderOfSteps) {
  std::array<CopyAxis, 3> axes{CopyAxis{1, 64}, {8, 2}, {4, 16}};
  EXPECT_EQ(pack_axes(axes, 2), 64);
  EXPECT_EQ(axes[1].to, 2);
  EXPECT_EQ(axes[2].to, 16);
  EXPECT_EQ(axes[0].to, 64);
}

}  // namespace
}  // namespace tessera
