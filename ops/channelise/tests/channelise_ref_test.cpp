// SPDX-License-Identifier: Apache-2.0
// The reference, compared with arithmetic done by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/spectra.hpp"

namespace tessera {
namespace {

using testing::channelise_all;
using testing::channelise_reference;
using testing::Channelised;
using testing::float_recording;

using Samples = std::vector<std::complex<float>>;

ChanneliseOptions two_channels(bool real = false) {
  return channelise_reference(
      {.channels = 2, .taps = 1, .samples = SampleType::cf32, .real = real});
}

TEST(ChanneliseRef, HasTheFilterThatWasGiven) {
  // N2 = 2: y[m, k] = h0 x[2m] + (-1)^k h1 x[2m + 1]; channels are -1 (as 1) and 0.
  const Channelise plan({1, 1, 1}, two_channels(), {.coefficients = {0.5, 0.25}, .gains = {}});
  const Channelised y =
      channelise_all(plan, float_recording({{1, 2}, {4, -8}, {3, 0}, {0, 1}, {7, 7}}, false));
  ASSERT_EQ(y.spectra, 2);
  EXPECT_EQ(y.at(0, 0), std::complex<float>(0.5F - 1, 1 + 2));
  EXPECT_EQ(y.at(1, 0), std::complex<float>(0.5F + 1, 1 - 2));
  EXPECT_EQ(y.at(0, 1), std::complex<float>(1.5F, -0.25F));
  EXPECT_EQ(y.at(1, 1), std::complex<float>(1.5F, 0.25F));
}

TEST(ChanneliseRef, TurnsByTheNumberOfTheSample) {
  // Real samples, N2 = 4, oversampled by 4: D = 1. Channel 1 turns by -i per sample.
  ChanneliseOptions options = two_channels(true);
  options.oversample = "4";
  const Channelise plan({1, 1, 1}, options, {.coefficients = {1, 0, 0, 0}, .gains = {}});
  EXPECT_EQ(plan.hop(), 1);
  const Channelised y = channelise_all(plan, float_recording(Samples(9, {5, 0}), true));
  ASSERT_EQ(y.spectra, 6);
  const std::complex<double> turns[] = {{1, 0}, {0, -1}, {-1, 0}, {0, 1}};
  for (int m = 0; m < 6; ++m) {
    EXPECT_EQ(y.at(0, m), std::complex<float>(5, 0)) << m;
    EXPECT_NEAR(std::abs(std::complex<double>(y.at(1, m)) - 5.0 * turns[m % 4]), 0, 1e-6) << m;
  }
}

TEST(ChanneliseRef, KeepsTheAmplitudeOfATone) {
  for (const bool real : {false, true})
    for (const char* oversample : {"1", "8/7"}) {
      const ChanneliseOptions options = channelise_reference({.channels = 14,
                                                              .taps = 8,
                                                              .oversample = oversample,
                                                              .samples = SampleType::cf32,
                                                              .real = real});
      if (std::string(oversample) == "8/7" && !real) continue;  // 8 does not divide 14
      ChanneliseOptions fitting = options;
      if (std::string(oversample) == "8/7") fitting.channels = 28;
      const Channelise plan({1, 1, 1}, fitting);
      const int k = 3, channel = real ? k : k + fitting.channels / 2;
      EXPECT_DOUBLE_EQ(plan.frequency(channel), 3.0 / plan.transform());
      Samples tone;
      for (long long t = 0; t < plan.length() + 5 * plan.hop(); ++t) {
        const double angle =
            2 * std::numbers::pi * k * static_cast<double>(t) / plan.transform() + 0.3;
        tone.emplace_back(static_cast<float>(10 * std::cos(angle)),
                          static_cast<float>(10 * std::sin(angle)));
      }
      const Channelised y = channelise_all(plan, float_recording(tone, real));
      const double amplitude = real ? 5 : 10;
      // At baseband: the phase of the tone at sample 0 in every spectrum. A real tone has an
      // image, which lies in the stop band.
      for (long long m = 0; m < y.spectra; ++m)
        EXPECT_NEAR(std::abs(std::complex<double>(y.at(channel, m)) - std::polar(amplitude, 0.3)),
                    0, real ? 0.01 : 1e-5)
            << real << oversample << m;
    }
}

TEST(ChanneliseRef, QuantisesHalfToEvenAndCounts) {
  ChanneliseOptions options = two_channels();
  options.output_type = SampleType::ci8;
  // y = x[2m] in both channels; the gain is 0.5 in channel -1 and 1 in channel 0.
  const Channelise plan({1, 1, 1}, options, {.coefficients = {1, 0}, .gains = {0.5F, 1}});
  const float nan = std::nanf(""), inf = HUGE_VALF;
  const Samples x{{1, 3}, {}, {5, -1}, {}, {254, 255}, {}, {-256, 127.4F}, {}, {nan, inf}, {}};
  const Channelised y = channelise_all(plan, float_recording(x, false));
  const Samples half{{0, 2}, {2, 0}, {127, 127}, {-127, 64}, {0, 0}};
  const Samples one{{1, 3}, {5, -1}, {127, 127}, {-127, 127}, {0, 0}};
  for (int m = 0; m < 4; ++m) {
    EXPECT_EQ(y.at(0, m), half[static_cast<std::size_t>(m)]) << m;
    EXPECT_EQ(y.at(1, m), one[static_cast<std::size_t>(m)]) << m;
  }
  EXPECT_GE(y.counts.not_a_number, 2);
  // 127.5 rounds to 128, -128, 254, 255, -256; infinities times 0 are NaN in the other part.
  EXPECT_EQ(y.counts.saturated, 5 + (4 - y.counts.not_a_number));
}

TEST(ChanneliseRef, MarksSpectraWithMissingSamples) {
  const Channelise plan({1, 2, 1}, channelise_reference({.channels = 4, .taps = 2}));
  testing::Recording r = testing::random_recording({1, 2, 1}, SampleType::ci8, false, 24, 3);
  r.valid.assign(48, 1);
  r.valid[2 * 11 + 1] = 0;  // sample 11 of input 1: in spectra 1 (4 to 11) and 2 (8 to 15)
  const Channelised y = channelise_all(plan, r);
  ASSERT_EQ(y.spectra, 5);
  const std::vector<unsigned char> expected{1, 1, 1, 0, 1, 0, 1, 1, 1, 1};
  EXPECT_EQ(y.valid, expected);
  for (int c = 0; c < 4; ++c) {
    EXPECT_EQ(y.at(2 * c + 1, 1), 0.0F);
    EXPECT_EQ(y.at(2 * c + 1, 2), 0.0F);
    EXPECT_NE(y.at(2 * c + 1, 3), 0.0F);
    EXPECT_NE(y.at(2 * c, 1), 0.0F);
  }
}

}  // namespace
}  // namespace tessera
