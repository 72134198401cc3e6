// SPDX-License-Identifier: Apache-2.0
// Delays of raw recordings against plain sums over a long sinc.
#include "sample/band_voltages.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>

#include "tests/support/files.hpp"

namespace tessera {
namespace {

using namespace testing;
using RawComplex = std::complex<double>;
constexpr double kRawPi = std::numbers::pi;

VoltagesOptions raw_options(RawBand band, bool lower = false) {
  return {.antennas = 3,
          .polarisations = 2,
          .channels = 16,
          .samples = 9000,
          .type = SampleType::cf32,
          .sources = 1,
          .noise = 0,
          .raw = band,
          .lower_sideband = lower};
}

/// Samples [first, first + count), [time][input].
std::vector<RawComplex> raw_samples(const BandVoltages& raw, long long first, long long count) {
  const XEngineShape shape = raw.shape();
  std::vector<std::complex<float>> read(static_cast<std::size_t>(count * shape.inputs()));
  raw.read(first, count, voltage_layout("tci", shape, SampleType::cf32, count), read.data());
  return {read.begin(), read.end()};
}

/// Samples of the second input of a source as the first one has them, `delay` seconds later.
RawComplex delayed(const std::vector<RawComplex>& first, long long t, double delay,
                   const BandVoltages& raw, RawBand band, bool lower) {
  const double turns = -raw.zero_frequency() * delay * (lower ? -1 : 1) * 2 * kRawPi;
  const double shift = delay * raw.sample_rate();
  RawComplex sum = 0;
  for (std::size_t m = 0; m < first.size(); ++m) {
    const double at = static_cast<double>(t) - static_cast<double>(m) - shift;
    if (band == RawBand::real)
      sum +=
          first[m] * (at == 0 ? std::cos(turns)
                              : (std::sin(kRawPi * at + turns) - std::sin(turns)) / (kRawPi * at));
    else
      sum += first[m] * std::polar(at == 0 ? 1 : std::sin(kRawPi * at) / (kRawPi * at), turns);
  }
  return sum;
}

TEST(BandVoltages, AntennasReceiveTheSameSignalLater) {
  for (const RawBand band : {RawBand::complex, RawBand::real})
    for (const bool lower : {false, true}) {
      const VoltageMaker made(raw_options(band, lower), 5);
      const BandVoltages raw(made, 5, 1);
      const std::vector<RawComplex> all = raw_samples(raw, 0, 9000);
      std::vector<RawComplex> first;
      for (std::size_t t = 0; t < 9000; ++t) first.push_back(all[6 * t]);
      for (const std::size_t antenna : {1u, 2u}) {
        const double delay = made.delay(0, antenna) - made.delay(0, 0);
        double wrong = 0, power = 0;
        for (long long t = 4000; t < 4200; ++t) {
          const RawComplex is = all[static_cast<std::size_t>(t) * 6 + 2 * antenna];
          wrong += std::norm(is - delayed(first, t, delay, raw, band, lower));
          power += std::norm(is);
        }
        // The edges of the band are 2% of it.
        EXPECT_LT(wrong, 2e-3 * power) << int(band) << lower << antenna;
        EXPECT_GT(power, 0);
      }
    }
}

TEST(BandVoltages, BandsHaveTheFrequenciesOfTheirChannels) {
  for (const bool lower : {false, true}) {
    const VoltageMaker complex(raw_options(RawBand::complex, lower), 1),
        real(raw_options(RawBand::real, lower), 1);
    const BandVoltages a(complex, 1), b(real, 1);
    EXPECT_DOUBLE_EQ(a.sample_rate(), 1.6e6);
    EXPECT_DOUBLE_EQ(b.sample_rate(), 3.2e6);
    EXPECT_DOUBLE_EQ(a.zero_frequency(), complex.frequency(lower ? 7 : 8));
    EXPECT_DOUBLE_EQ(b.zero_frequency(), real.frequency(lower ? 15 : 0));
    EXPECT_DOUBLE_EQ(b.frequency(), b.zero_frequency() + (lower ? -0.8e6 : 0.8e6));
  }
}

TEST(BandVoltages, PartsAndThreadsDoNotMatter) {
  VoltagesOptions options = raw_options(RawBand::real);
  options.noise = 10;
  options.type = SampleType::ci8;
  const VoltageMaker made(options, 2);
  const BandVoltages one(made, 2, 1), many(made, 2, 3);
  const long long count = 7000;
  std::vector<unsigned char> whole(static_cast<std::size_t>(count * 12)), parts(whole.size());
  const auto layout = [&](long long samples) {
    return voltage_layout("tci", one.shape(), options.type, samples);
  };
  one.read(0, count, layout(count), whole.data());
  for (long long first = 0, step = 1; first < count; first += step) {
    step = std::min(count - first, 2 * step + 100);
    many.read(first, step, layout(step), parts.data() + first * 12);
  }
  EXPECT_EQ(whole, parts);
  for (std::size_t i = 1; i < whole.size(); i += 2) ASSERT_EQ(whole[i], 0);  // imaginary parts
}

/// Mean of products at equal times of two inputs of an antenna, which have no delay.
RawComplex raw_product(const std::vector<RawComplex>& all, std::size_t i, std::size_t j) {
  RawComplex sum = 0;
  for (std::size_t t = 0; t < all.size() / 6; ++t)
    sum += all[6 * t + i] * std::conj(all[6 * t + j]);
  return sum / static_cast<double>(all.size() / 6);
}

TEST(BandVoltages, PowersAreThoseOfTheModel) {
  for (const RawBand band : {RawBand::complex, RawBand::real}) {
    VoltagesOptions options = raw_options(band);
    options.noise = 5;
    const VoltageMaker made(options, 4);
    const std::vector<RawComplex> all = raw_samples(BandVoltages(made, 4), 0, 60000);
    const double power = made.model(0, 0, 0).real();
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j) {
        RawComplex expected = made.model(0, static_cast<int>(i), static_cast<int>(j));
        // Products of real samples are real; a circular polarisation shows in channels only.
        if (band == RawBand::real) expected = expected.real();
        EXPECT_LT(std::abs(raw_product(all, i, j) - expected), 0.04 * power) << i << j;
      }
  }
}

TEST(BandVoltages, TonesLieWhereTheyAreOnTheSky) {
  VoltagesOptions options = raw_options(RawBand::complex, true);
  options.sources = 0;
  options.tone = 150.5e6;
  options.tone_level = 3;
  const VoltageMaker made(options, 1);
  const BandVoltages raw(made, 1);
  const std::vector<RawComplex> all = raw_samples(raw, 100, 50);
  const double turns = -(150.5e6 - raw.zero_frequency()) / raw.sample_rate();
  for (std::size_t t = 0; t < 50; ++t)
    EXPECT_LT(std::abs(all[6 * t] - std::polar(3.0, 2 * kRawPi * turns * double(100 + t))), 1e-5);
}

TEST(BandVoltages, BadOptionsAreRefused) {
  VoltagesOptions options = raw_options(RawBand::no);
  options.tone = 1e8;
  expect_error([&] { check_voltages(options); }, ErrorKind::usage, "only raw recordings");
  options = raw_options(RawBand::real);
  options.type = SampleType::ci4;
  expect_error([&] { check_voltages(options); }, ErrorKind::usage, "real samples of ci4");
  options = raw_options(RawBand::complex);
  options.radius = 1e6;
  options.channel_width = 1e9;
  const VoltageMaker far(options, 1);
  expect_error([&] { BandVoltages(far, 1); }, ErrorKind::usage, "delays of up to 1.04858e+06");
}

}  // namespace
}  // namespace tessera
