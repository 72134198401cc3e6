// SPDX-License-Identifier: Apache-2.0
// The response to one depth: by hand, as a shape whose width is known, and with flags.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/faraday_cubes.hpp"

namespace tessera {
namespace {

constexpr double kLight = 299792458;

/// lambda^2 from 1 to 2 m^2 in equal steps.
FaradayChannels even_channels(int count) {
  FaradayChannels channels;
  for (int k = 0; k < count; ++k)
    channels.frequency.push_back(kLight / std::sqrt(1 + static_cast<double>(k) / (count - 1)));
  return channels;
}

/// Weights that are a Gaussian of lambda^2, so that the RMSF is one too: weights exp(-d^2 / (2
/// s^2)) make exp(-2 s^2 phi^2), which is half as high at phi = sqrt(ln 2 / 2) / s.
FaradayChannels bell_channels(double s) {
  FaradayChannels channels = even_channels(401);
  for (int k = 0; k <= 400; ++k) {
    const double d = k / 400.0 - 0.5;
    channels.weight.push_back(std::exp(-d * d / (2 * s * s)));
  }
  return channels;
}

TEST(FaradayRmsf, LiesOverAnyDepth) {
  for (const char* phi : {"-10,10,1", "-100,500,7", "3,4,1"}) {
    const FaradayAxes axes = faraday_axes(even_channels(30), FaradayOptions{.phi = phi});
    const FaradayRmsf rmsf = faraday_rmsf(axes);
    EXPECT_EQ(std::ssize(rmsf.phi), 2 * axes.depths() + 1);
    EXPECT_EQ(rmsf.phi[static_cast<std::size_t>(rmsf.centre())], 0);
    EXPECT_NEAR(std::abs(rmsf.value[static_cast<std::size_t>(rmsf.centre())] - 1.0), 0, 1e-15);
    EXPECT_GE(rmsf.centre(), axes.depths() - 1);  // the first depth reaches the last
    EXPECT_FALSE(rmsf.fitted);
    EXPECT_EQ(rmsf.fwhm, axes.fwhm);
  }
}

TEST(FaradayRmsf, TwoChannelsMakeACosine) {
  const FaradayChannels two{{kLight, kLight / 2}};  // 1 and 4 m^2, 1.5 from their mean
  const FaradayAxes axes = faraday_axes(two, FaradayOptions{.phi_max = 3, .dphi = 0.1});
  const FaradayRmsf rmsf = faraday_rmsf(axes);
  for (std::size_t p = 0; p < rmsf.phi.size(); ++p)
    EXPECT_NEAR(std::abs(rmsf.value[p] - std::cos(3 * rmsf.phi[p])), 0, 1e-13);
}

TEST(FaradayRmsf, TheWidthOfABellIsFound) {
  for (const double s : {0.05, 0.08, 0.1}) {
    const double width = 2 * std::sqrt(std::numbers::ln2 / 2) / s;
    const FaradayAxes axes =
        faraday_axes(bell_channels(s), FaradayOptions{.phi_max = 100, .dphi = width / 12});
    const FaradayRmsf rmsf = faraday_rmsf(axes, true);
    EXPECT_TRUE(rmsf.fitted);
    EXPECT_NEAR(rmsf.fwhm, width, 1e-4 * width);  // the bell is cut off at 5 s and more
  }
}

// With equal weights in lambda^2 it is a sinc; a bell fitted to its main lobe above 0.4 has this
// width: found with scipy.optimize.curve_fit to |R| at the same points.
TEST(FaradayRmsf, TheWidthOfASincIsFound) {
  const FaradayAxes axes =
      faraday_axes(even_channels(2000), FaradayOptions{.phi_max = 60, .dphi = 0.25});
  const FaradayRmsf rmsf = faraday_rmsf(axes, true);
  EXPECT_TRUE(rmsf.fitted);
  EXPECT_NEAR(rmsf.fwhm, 3.811926, 1e-5);
}

TEST(FaradayRmsf, TooFewPointsLeaveTheTheory) {
  const FaradayAxes axes =
      faraday_axes(even_channels(100), FaradayOptions{.phi_max = 60, .dphi = 2});
  const FaradayRmsf rmsf = faraday_rmsf(axes, true);
  EXPECT_FALSE(rmsf.fitted);
  EXPECT_EQ(rmsf.fwhm, axes.fwhm);
}

TEST(FaradayRmsf, AtZeroWavelengthTheRealPartIsFitted) {
  FaradayOptions options{.phi_max = 60, .dphi = 0.02, .lambda0 = 0};
  const FaradayAxes axes = faraday_axes(even_channels(500), options);
  const FaradayRmsf rmsf = faraday_rmsf(axes, true);
  EXPECT_TRUE(rmsf.fitted);
  EXPECT_LT(rmsf.fwhm, 0.5 * 3.8);  // much narrower than |R|
  EXPECT_NEAR(rmsf.fwhm, axes.fwhm, 0.15 * axes.fwhm);
}

// A pixel that lacks channels responds as if there were none, about the same lambda^2_0.
TEST(FaradayRmsf, FlaggedChannelsAreLeftOut) {
  const FaradayChannels all = testing::some_channels(40, 3);
  const FaradayAxes axes = faraday_axes(all, FaradayOptions{.phi_max = 50, .dphi = 1});
  std::vector<unsigned char> flagged(40, 0);
  FaradayChannels rest = all;
  for (const std::size_t k : {0U, 8U, 21U, 39U}) {
    flagged[k] = 1;
    rest.weight[k] = 0;
  }
  const FaradayRmsf rmsf = faraday_rmsf(axes, false, flagged);
  const FaradayAxes others =
      faraday_axes(rest, FaradayOptions{.phi_max = 50, .dphi = 1, .lambda0 = axes.lambda2_0});
  const FaradayRmsf expected = faraday_rmsf(others);
  EXPECT_EQ(rmsf.fwhm, others.fwhm);
  ASSERT_EQ(rmsf.value.size(), expected.value.size());
  for (std::size_t p = 0; p < rmsf.value.size(); ++p)
    EXPECT_NEAR(std::abs(rmsf.value[p] - expected.value[p]), 0, 1e-14);
  const std::vector<unsigned char> none(40, 1);
  EXPECT_EQ(std::abs(faraday_rmsf(axes, false, none).value[20]), 0);
  EXPECT_EQ(faraday_rmsf(axes, false, none).fwhm, axes.fwhm);
}

TEST(FaradayRmsf, TheWidthByTheoryIsOfChannelsThatAreLeft) {
  const std::vector<unsigned char> upper{1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0};  // 1.5 to 2 m^2 are left
  for (const double lambda0 : {0.0, 1.5}) {
    const FaradayAxes axes =
        faraday_axes(even_channels(11), {.phi_max = 50, .dphi = 1, .lambda0 = lambda0});
    EXPECT_NEAR(faraday_rmsf(axes, false, upper).fwhm, lambda0 > 0 ? 3.8 / 0.5 : 2 / 3.5, 1e-12);
  }
}

}  // namespace
}  // namespace tessera
