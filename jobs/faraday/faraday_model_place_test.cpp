// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_model_place.hpp"

#include <gtest/gtest.h>

namespace tessera {
namespace {

constexpr double kLight = 299792458;

/// Channels at 1.0, 1.1 … 1.5 GHz; results refer to `hertz`.
FaradayAxes axes_at(double hertz, std::vector<double> weights = {1, 1, 1, 1, 1, 1}) {
  FaradayOptions options;
  options.lambda0 = kLight / hertz * (kLight / hertz);
  return faraday_axes({{1.0e9, 1.1e9, 1.2e9, 1.3e9, 1.4e9, 1.5e9}, std::move(weights)}, options);
}

void expect_place(const FaradayAxes& axes, int low, int high, double share) {
  const FaradayModelPlace place = faraday_model_place(axes);
  EXPECT_EQ(place.low, low);
  EXPECT_EQ(place.high, high);
  EXPECT_NEAR(place.share, share, 1e-6);
}

TEST(FaradayModelPlace, IsBetweenTheNearest) {
  expect_place(axes_at(1.225e9), 2, 3, 0.25);
  expect_place(axes_at(1.475e9), 4, 5, 0.75);
}

TEST(FaradayModelPlace, ChannelsWithoutWeightDoNotCount) {
  expect_place(axes_at(1.225e9, {1, 1, 0, 1, 1, 1}), 1, 3, 0.625);
  expect_place(axes_at(1.225e9, {1, 1, 0, 0, 1, 1}), 1, 4, 0.125 / 0.3);
}

TEST(FaradayModelPlace, OutsideTheBandItIsTheNearest) {
  expect_place(axes_at(0.8e9), 0, 0, 0);
  expect_place(axes_at(1.8e9), 5, 5, 0);
  expect_place(axes_at(1.02e9, {0, 1, 1, 1, 1, 1}), 1, 1, 0);
  expect_place(axes_at(1.49e9, {1, 1, 1, 1, 1, 0}), 4, 4, 0);
}

TEST(FaradayModelPlace, TheOrderOfChannelsDoesNotMatter) {
  FaradayOptions options;
  options.lambda0 = kLight / 1.225e9 * (kLight / 1.225e9);
  expect_place(faraday_axes({{1.3e9, 1.0e9, 1.2e9}}, options), 2, 0, 0.25);
}

TEST(FaradayModelPlace, OfTwoChannelsAtOneFrequencyTheFirstCounts) {
  FaradayOptions options;
  options.lambda0 = kLight / 1.1e9 * (kLight / 1.1e9);
  expect_place(faraday_axes({{1.0e9, 1.2e9, 1.2e9, 1.0e9}}, options), 0, 1, 0.5);
}

TEST(FaradayModelPlace, WithoutAWavelengthItIsTheMeanFrequency) {
  FaradayOptions options;
  options.lambda0 = 0;
  expect_place(faraday_axes({{1.0e9, 1.2e9, 1.6e9}, {1, 0, 1}}, options), 0, 2, 0.5);
}

}  // namespace
}  // namespace tessera
