// SPDX-License-Identifier: Apache-2.0
#include "core/median_time.hpp"

#include <gtest/gtest.h>

namespace tessera {
namespace {

TEST(MedianTime, OfAnOddNumberTheMiddle) {
  const MedianTime time = median_time({5, 1, 2});
  EXPECT_EQ(time.seconds, 2);
  EXPECT_EQ(time.spread, 2);  // (5 - 1) / 2
}

TEST(MedianTime, OfAnEvenNumberTheSlowerOfTheMiddle) {
  EXPECT_EQ(median_time({4, 1, 2, 3}).seconds, 3);
}

TEST(MedianTime, OneTimeHasNoSpread) { EXPECT_EQ(median_time({0.5}).spread, 0); }

TEST(MedianTime, AClockThatStandsStillGivesNumbers) { EXPECT_EQ(median_time({0, 0}).spread, 0); }

}  // namespace
}  // namespace tessera
