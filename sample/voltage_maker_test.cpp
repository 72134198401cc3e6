// SPDX-License-Identifier: Apache-2.0
// The contents of synthetic voltages, measured from their samples.
#include "sample/voltage_maker.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>

#include "tests/support/files.hpp"

namespace tessera {
namespace {

using namespace testing;
using Complex = std::complex<double>;
constexpr double kTwoPi = 2 * std::numbers::pi, kLight = 299792458;

/// All samples in one of the packed layouts.
struct Recording {
  std::vector<unsigned char> bytes;
  VoltageLayout layout;
  long long saturated = 0;
};
Recording recorded(const VoltageMaker& made, const char* layout = "tci") {
  const VoltagesOptions& o = made.options();
  Recording r{{}, voltage_layout(layout, made.shape(), o.type, o.samples)};
  r.bytes.resize(
      static_cast<std::size_t>(made.shape().inputs() * o.channels * o.samples * bytes_of(o.type)));
  r.saturated = made.read(0, o.samples, r.layout, r.bytes.data());
  return r;
}

Complex sample(const Recording& r, SampleType type, int c, int a, int p, long long t) {
  const VoltageLayout& l = r.layout;
  const unsigned char* const at = r.bytes.data() + c * l.channel + a * l.antenna +
                                  p * l.polarisation + t / l.group * l.group_step +
                                  t % l.group * l.time;
  const auto part = [&]<class T>(T value, long long offset) {
    std::memcpy(&value, at + offset, sizeof value);
    return static_cast<double>(value);
  };
  if (type == SampleType::ci4) {
    const auto half = [](int bits) { return static_cast<double>(bits > 7 ? bits - 16 : bits); };
    return {half(*at >> 4), half(*at & 15)};
  }
  if (type == SampleType::ci8) return {part(std::int8_t{}, 0), part(std::int8_t{}, l.imaginary)};
  if (type == SampleType::ci16) return {part(std::int16_t{}, 0), part(std::int16_t{}, l.imaginary)};
  return {part(0.0F, 0), part(0.0F, l.imaginary)};
}

/// Means over time of A_i conj(A_j) in a channel, [i][j]; plain sums, not the library's.
std::vector<std::vector<Complex>> correlated(const VoltageMaker& made, const Recording& r, int c) {
  const VoltagesOptions& o = made.options();
  const int inputs = made.shape().inputs();
  std::vector<std::vector<Complex>> v(static_cast<std::size_t>(inputs),
                                      std::vector<Complex>(static_cast<std::size_t>(inputs)));
  std::vector<Complex> now(static_cast<std::size_t>(inputs));
  for (long long t = 0; t < o.samples; ++t) {
    for (int i = 0; i < inputs; ++i)
      now[static_cast<std::size_t>(i)] =
          sample(r, o.type, c, i / o.polarisations, i % o.polarisations, t);
    for (std::size_t i = 0; i < now.size(); ++i)
      for (std::size_t j = 0; j < now.size(); ++j)
        v[i][j] += now[i] * std::conj(now[j]) / static_cast<double>(o.samples);
  }
  return v;
}

/// Two antennas, the second 100 m east of the first, at the options' position.
std::vector<SampleAntenna> pair_in_the_east(const VoltagesOptions& o) {
  const EarthVector first = earth_place(o.latitude, o.longitude, o.height);
  return {{"west", first}, {"east", first + local_axes(first).east * 100}};
}

// By hand: a source in the east, 30 degrees up, reaches the eastern antenna 100 m cos 30 / c
// earlier, so V of (east, west) turns forward with frequency.
TEST(VoltageMaker, PhaseFallsWithFrequencyByTheDelay) {
  const VoltagesOptions o{.polarisations = 1,
                          .channels = 20,
                          .samples = 8,
                          .type = SampleType::cf32,
                          .frequency = 150e6,
                          .channel_width = 200e3,
                          .noise = 0};
  const std::vector<SampleAntenna> antennas = pair_in_the_east(o);
  const SampleSource source{horizontal_direction(local_axes(antennas[0].place), 90, 30)};
  const VoltageMaker made(o, 1, 1, antennas, {source});
  const double delay = -100 * std::cos(kTwoPi / 12) / kLight;
  EXPECT_NEAR(made.delay(0, 1) - made.delay(0, 0), delay, 1e-16);
  const Recording r = recorded(made);
  Complex before;
  for (int c = 0; c < o.channels; ++c) {
    const Complex v = correlated(made, r, c)[1][0];
    const Complex expected = std::polar(1.0, -kTwoPi * (150e6 + c * 200e3) * delay);
    EXPECT_NEAR(std::abs(v / std::abs(v) - expected), 0, 1e-6) << c;
    if (c > 0) {
      EXPECT_NEAR(std::arg(v / before), kTwoPi * 200e3 * 100 * std::sqrt(0.75) / kLight, 2e-6);
    }
    before = v;
  }
}

TEST(VoltageMaker, TrackedDelaysAreOfTheWayFromTheCentre) {
  VoltagesOptions o{.polarisations = 1, .channels = 2, .samples = 4, .tracked = true};
  const std::vector<SampleAntenna> antennas = pair_in_the_east(o);
  const EarthVector zenith = local_axes(middle_of(antennas)).up;
  const double l = 0.02;
  const VoltageMaker made(
      o, 1, 1, antennas,
      {{zenith}, {offset_direction(zenith, l, 0)}, {offset_direction(zenith, 0, l)}});
  EXPECT_NEAR(made.delay(0, 1) - made.delay(0, 0), 0, 1e-16);
  EXPECT_NEAR(made.delay(1, 1) - made.delay(1, 0), -100 * l / kLight, 1e-13);
  EXPECT_NEAR(made.delay(2, 1) - made.delay(2, 0), 0, 1e-13);
}

// The mean of T products of Gaussian numbers deviates by sqrt(P_i P_j / T) from its model.
TEST(VoltageMaker, VisibilitiesAreTheModelWithinTheNoise) {
  const VoltageMaker made({.antennas = 7, .channels = 3, .samples = 6000}, 5);
  const Recording r = recorded(made);
  double sum = 0;
  int count = 0;
  for (int c = 0; c < 3; ++c) {
    const auto v = correlated(made, r, c);
    for (int i = 0; i < 14; ++i)
      for (int j = 0; j <= i; ++j) {
        const double sigma =
            std::sqrt(made.model(c, i, i).real() * made.model(c, j, j).real() / 6000);
        const double error = std::abs(v[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] -
                                      made.model(c, i, j));
        EXPECT_LT(error, 5 * sigma) << c << " " << i << " " << j;
        sum += error * error / (sigma * sigma);
        ++count;
      }
  }
  EXPECT_NEAR(sum / count, 1, 0.25);
}

TEST(VoltageMaker, StokesParametersAreWhatTheHeaderSays) {
  const VoltagesOptions o{.channels = 1, .samples = 20000, .type = SampleType::cf32, .noise = 0};
  const std::vector<SampleAntenna> antennas = pair_in_the_east(o);
  const SampleSource source{local_axes(middle_of(antennas)).up, 1, 0.5, 0.3, -0.6};
  const VoltageMaker made(o, 3, 0, antennas, {source});
  const auto v = correlated(made, recorded(made), 0);
  const double unit = made.scale() * made.scale(), noise = 5 / std::sqrt(20000.0);
  EXPECT_NEAR(v[0][0].real() / unit, 1.5, 1.5 * noise);
  EXPECT_NEAR(v[1][1].real() / unit, 0.5, 0.5 * noise);
  EXPECT_LT(std::abs(v[0][1] / unit - Complex(0.3, -0.6)), noise);
  EXPECT_LT(
      std::abs(v[2][1] / unit -
               Complex(0.3, -0.6) *
                   std::polar(1.0, -kTwoPi * o.frequency * (made.delay(0, 1) - made.delay(0, 0)))),
      noise);
  // All of a source may be polarised.
  const VoltageMaker all({.channels = 1, .samples = 500, .type = SampleType::cf32, .noise = 0}, 3,
                         0, antennas, {{source.direction, 1, -1, 0, 0}});
  const auto y = correlated(all, recorded(all), 0);
  EXPECT_EQ(y[0][0], 0.0);
  EXPECT_GT(y[1][1].real(), 1.5);
}

TEST(VoltageMaker, BlocksThreadsAndLayoutsGiveTheSameSamples) {
  const VoltagesOptions o{.antennas = 3, .channels = 5, .samples = 1024};
  const Recording whole = recorded(VoltageMaker(o, 9, 1));
  for (const int threads : {1, 2, 3, 7}) {
    const VoltageMaker made(o, 9, threads);
    std::vector<unsigned char> parts(whole.bytes.size());
    long long saturated = 0;
    for (long long t = 0; t < o.samples;) {
      const long long count = std::min<long long>(o.samples - t, 100 * threads + 1);
      saturated += made.read(t, count, whole.layout, parts.data() + t * whole.layout.time);
      t += count;
    }
    EXPECT_EQ(parts, whole.bytes) << threads;
    EXPECT_EQ(saturated, whole.saturated);
  }
  for (const char* name : {"cti", "cit", "act", "tcc", "dp4a"}) {
    const Recording other = recorded(VoltageMaker(o, 9), name);
    for (int k = 0; k < 3 * 2 * 5 * 1024; ++k)
      ASSERT_EQ(sample(whole, o.type, k / 1024 % 5, k / 5120 % 3, k / 15360, k % 1024),
                sample(other, o.type, k / 1024 % 5, k / 5120 % 3, k / 15360, k % 1024))
          << name << " " << k;
  }
  EXPECT_NE(recorded(VoltageMaker(o, 10)).bytes, whole.bytes);
}

std::uint64_t hash_of_bytes(const std::vector<unsigned char>& bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}

// As in scene_test: computed on aarch64 with g++ 12.
TEST(VoltageMaker, AreTheSameOnEveryMachine) {
  const VoltagesOptions o{.antennas = 4, .channels = 3, .samples = 700};
  EXPECT_EQ(hash_of_bytes(recorded(VoltageMaker(o, 1)).bytes), 13901935737024568169u);
}

TEST(VoltageMaker, IntegersAreTheFloatsRoundedAndClipped) {
  for (const auto& [type, top] :
       {std::pair{SampleType::ci4, 7.0}, {SampleType::ci8, 127.0}, {SampleType::ci16, 32767.0}}) {
    VoltagesOptions o{.antennas = 2, .channels = 2, .samples = 3000, .type = type, .rms = top / 2};
    const Recording levels = recorded(VoltageMaker(o, 4));
    o.type = SampleType::cf32;
    const Recording exact = recorded(VoltageMaker(o, 4));
    long long outside = 0;
    for (int k = 0; k < 2 * 2 * 2 * 3000; ++k) {
      const int c = k % 2, a = k / 2 % 2, p = k / 4 % 2, t = k / 8;
      const Complex found = sample(levels, type, c, a, p, t),
                    given = sample(exact, o.type, c, a, p, t);
      for (const auto& [level, value] :
           {std::pair{found.real(), given.real()}, {found.imag(), given.imag()}}) {
        const double nearest = std::floor(value + 0.5);
        outside += nearest > top || nearest < -top - 1;
        ASSERT_EQ(level, std::clamp(nearest, -top - 1, top)) << k;
      }
    }
    EXPECT_EQ(levels.saturated, outside);
    // A Gaussian's tails; X and Y have not quite the same power.
    const double above = std::erfc((top + 0.5) / (top / 2) / std::numbers::sqrt2) / 2;
    const double below = std::erfc((top + 1.5) / (top / 2) / std::numbers::sqrt2) / 2;
    EXPECT_NEAR(static_cast<double>(outside) / (48000 * (above + below)), 1, 0.15);
  }
  EXPECT_EQ(recorded(VoltageMaker({.antennas = 2, .samples = 500}, 4)).saturated, 0);
}

TEST(VoltageMaker, BadOptionsAreRefused) {
  const auto refused = [](const VoltagesOptions& o, const char* part) {
    expect_error([&] { VoltageMaker(o, 1); }, ErrorKind::usage, part);
  };
  refused({.antennas = 0}, "antennas is 0; it can be 1 to 4096");
  refused({.polarisations = 3}, "polarisations is 3");
  refused({.channels = 0}, "channels is 0");
  refused({.samples = 0}, "samples is 0");
  refused({.type = SampleType::cf16}, "cf16 cannot be made");
  refused({.rms = -1.0}, "rms is -1");
  refused({.channel_width = 0}, "channel-width is 0");
  refused({.flux_low = 3, .flux_high = 2}, "flux-low is 3");
  refused({.noise = std::nan("")}, "noise is nan");
  refused({.declination = 5.0}, "needs both right-ascension and declination");
  expect_error(
      [] {
        VoltageMaker({}, 1, 1, {}, {{{1, 0, 0}, 1, 0.8, 0.8, 0}});
      },
      ErrorKind::usage, "source 0 has I 1");
}

}  // namespace
}  // namespace tessera
