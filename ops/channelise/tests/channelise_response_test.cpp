// SPDX-License-Identifier: Apache-2.0
// What a channel hears of a tone: its filter's response, near its middle and far from it. The
// figures in decibels are those of scipy.signal.firwin(256, 1 / 32) and freqz.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/spectra_bounds.hpp"

namespace tessera {
namespace {

using testing::channelise_all;
using testing::Channelised;

constexpr int kResponseChannels = 32, kToneChannel = 16;  // frequency 0

/// The amplitude of a channel for a tone some channels from its middle; of all spectra the largest.
double response(const Channelise& plan, double offset) {
  std::vector<std::complex<float>> tone;
  for (long long t = 0; t < plan.length() + 15 * plan.hop(); ++t) {
    const double angle = 2 * std::numbers::pi * offset * static_cast<double>(t) / plan.transform();
    tone.emplace_back(static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)));
  }
  const Channelised y = channelise_all(plan, testing::float_recording(tone, false));
  double most = 0;
  for (long long m = 0; m < y.spectra; ++m)
    most = std::max(most, std::abs(std::complex<double>(y.at(kToneChannel, m))));
  return most;
}

ChanneliseOptions response_options(const std::string& window, const std::string& method) {
  return {.channels = kResponseChannels,
          .taps = 8,
          .window = window,
          .samples = SampleType::cf32,
          .backend = Backend::cpu,
          .method = method};
}

struct WindowFigures {
  std::string window;
  double quarter, half, stop;  ///< dB at 0.25 and 0.5 channels, at most from 1 channel on
};

TEST(ChanneliseResponse, IsThatOfItsFilter) {
  const WindowFigures figures[] = {{"hamming", 0.03, -6.01, -63.92},
                                   {"hann", 0.04, -6.03, -62.45},
                                   {"blackman", -0.10, -6.02, -75.82},
                                   {"rectangular", -0.14, -5.80, -35.16},
                                   {"kaiser:9", -0.12, -6.02, -90.98}};
  for (const char* method : {"fft", "direct"})
    for (const WindowFigures& f : figures) {
      const Channelise plan({1, 1, 1}, response_options(f.window, method));
      SCOPED_TRACE(plan.describe() + " " + f.window);
      const auto decibels = [&](double offset) { return 20 * std::log10(response(plan, offset)); };
      EXPECT_NEAR(decibels(0), 0, 1e-5);
      EXPECT_NEAR(decibels(0.25), f.quarter, 0.01);
      EXPECT_NEAR(decibels(-0.5), f.half, 0.01);
      double most = -1000;
      for (double offset = 1; offset < 16; offset += 0.03) most = std::max(most, decibels(offset));
      EXPECT_LT(most, f.stop + 0.02);
      EXPECT_GT(most, f.stop - 1.5);
    }
}

/// Half a channel is shared by two neighbours: their amplitudes add up to that of the tone.
TEST(ChanneliseResponse, NeighboursShareTheEdge) {
  const Channelise plan({1, 1, 1}, response_options("hamming", "fft"));
  EXPECT_NEAR(response(plan, 0.5) + response(plan, -0.5), 1, 0.01);
}

/// Noise of power 1 in every part has the power of the filter in every channel.
TEST(ChanneliseResponse, KeepsThePowerOfNoise) {
  for (const char* oversample : {"1", "4/3"}) {
    ChanneliseOptions options = response_options("hamming", "fft");
    options.oversample = oversample;
    const Channelise plan({1, 1, 1}, options);
    const testing::Recording r = testing::random_recording({1, 1, 1}, SampleType::cf32, false,
                                                           plan.length() + 2000 * plan.hop(), 5);
    const Channelised y = channelise_all(plan, r);
    double squares = 0, power = 0;
    for (const float h : plan.coefficients()) squares += static_cast<double>(h) * h;
    for (const std::complex<float> v : y.values) power += std::norm(std::complex<double>(v));
    // Uniform in [-1, 1): 1/3 per part.
    EXPECT_NEAR(power / static_cast<double>(y.values.size()) / (2.0 / 3 * squares), 1, 0.02);
  }
}

}  // namespace
}  // namespace tessera
