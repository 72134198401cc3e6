// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_patterns.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tessera/image.hpp"
#include "tests/support/poison.hpp"

namespace tessera {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr int kChannels = 12;

struct Flagged {
  Image q = testing::random_image({4, 3, 1, kChannels}, Type::f32, 1);
  Image u = testing::random_image({4, 3, 1, kChannels}, Type::f32, 2);
  FaradayAxes axes;

  Flagged() {
    FaradayChannels channels;
    for (int k = 0; k < kChannels; ++k) channels.frequency.push_back(1e9 + 2e7 * k);
    axes = faraday_axes(channels, FaradayOptions{.phi_max = 200, .dphi = 10});
    q.as<float>().at(1, 0, 0, 3) = kNaN;
    u.as<float>().at(2, 1, 0, 3) = kNaN;
    u.as<float>().at(3, 1, 0, 0) = kNaN;
    q.as<float>().at(3, 1, 0, 5) = kNaN;
    for (int k = 0; k < kChannels; ++k) q.as<float>().at(0, 2, 0, k) = kNaN;
  }
};

const std::vector<int> kNumbers{0, 1, 0, 0, 0, 0, 1, 2, -1, 0, 0, 0};

void expect_same(const FaradayRmsf& a, const FaradayRmsf& b) {
  EXPECT_EQ(a.value, b.value);
  EXPECT_EQ(a.fwhm, b.fwhm);
}

TEST(FaradayPatterns, PixelsThatLackTheSameShareAnRmsf) {
  const Flagged in;
  for (const int threads : {1, 3}) {
    FaradayPatterns patterns(in.axes, true);
    EXPECT_EQ(patterns.find(in.q.view(), in.u.view(), 0, threads), kNumbers);
    EXPECT_EQ(patterns.find(in.q.view(), in.u.view(), 0, threads), kNumbers) << "already known";
    ASSERT_EQ(patterns.count(), 3);
    std::vector<unsigned char> flags(kChannels, 0);
    expect_same(patterns.rmsf(0), faraday_rmsf(in.axes, true, flags));
    flags[3] = 1;
    expect_same(patterns.rmsf(1), faraday_rmsf(in.axes, true, flags));
    flags = std::vector<unsigned char>(kChannels, 0);
    flags[0] = flags[5] = 1;
    expect_same(patterns.rmsf(2), faraday_rmsf(in.axes, true, flags));
  }
}

TEST(FaradayPatterns, TheyCanBeCountedAlone) {
  const Flagged in;
  FaradayPatterns patterns(in.axes, false, true);
  EXPECT_EQ(patterns.find(in.q.view(), in.u.view(), 0, 2), kNumbers);
  EXPECT_EQ(patterns.count(), 3);
  EXPECT_EQ(patterns.incomplete_pixels(), 3);
  EXPECT_EQ(patterns.empty_pixels(), 1);
  EXPECT_FALSE(patterns.rmsf(0).value.empty());
  EXPECT_TRUE(patterns.rmsf(1).value.empty());
}

}  // namespace
}  // namespace tessera
