// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "tessera/fringe_tracker.hpp"
#include "tests/support/files.hpp"
#include "tests/support/voltages.hpp"

namespace tessera {
namespace {

using testing::expect_error;
using testing::LaidOut;
using testing::lay_out;
using testing::Voltages;
using Complex = std::complex<double>;

constexpr double kRate = 1000, kTurn = 2 * std::numbers::pi;

Complex turned(double turns) { return std::polar(1.0, kTurn * turns); }

/// Delays that grow: some whole samples, all signs, about a sample within the recording.
std::vector<double> moving_delays(long long sample, int antennas) {
  std::vector<double> delays;
  for (int a = 0; a < antennas; ++a)
    delays.push_back((a % 2 ? 1 : -1) * (0.0013 * a + 1e-6 * static_cast<double>(sample)) + 4e-4);
  return delays;
}

FringeSetup setup_of(const XEngineShape& shape, SampleType type = SampleType::ci8) {
  FringeSetup setup{.shape = shape, .samples = type, .sample_rate = kRate, .most_delay = 0.02};
  setup.threads = 1;
  for (int c = 0; c < shape.channels; ++c) setup.frequency.push_back(1.4e8 + 1e3 * c);
  setup.delays = [antennas = shape.antennas](long long sample) {
    return moving_delays(sample, antennas);
  };
  return setup;
}

/// [channel][input][time], and one byte per [time][input].
struct Taken {
  std::vector<std::complex<float>> values;
  std::vector<int> valid;
  long long samples = 0;
};

/// All that can be taken now, `most` at a time, joined.
void take_all(FringeTracker& tracker, const XEngineShape& shape, long long most,
              std::vector<std::vector<std::complex<float>>>& rows, Taken& to) {
  while (tracker.ready() > 0) {
    const VoltageBlock block = tracker.take(most);
    for (int c = 0; c < shape.channels; ++c)
      for (int i = 0; i < shape.inputs(); ++i)
        for (long long t = 0; t < block.samples; ++t) {
          const int p = shape.polarisations;
          std::complex<float> value;
          std::memcpy(&value, sample_address(block, c, i / p, i % p, t), sizeof value);
          rows[static_cast<std::size_t>(c * shape.inputs() + i)].push_back(value);
        }
    for (long long t = 0; t < block.samples; ++t)
      for (int i = 0; i < shape.inputs(); ++i)
        to.valid.push_back(is_valid(block, shape.inputs(), i, t));
    to.samples += block.samples;
  }
}

Taken run(const FringeSetup& setup, const Voltages& v, const std::string& layout,
          const std::vector<long long>& blocks, long long most) {
  FringeTracker tracker(setup);
  Taken taken;
  std::vector<std::vector<std::complex<float>>> rows(
      static_cast<std::size_t>(v.shape.channels * v.shape.inputs()));
  long long at = 0;
  for (std::size_t k = 0; at < v.samples; ++k) {
    const long long count = std::min(blocks[k % blocks.size()], v.samples - at);
    const LaidOut part = lay_out(v, layout, at, count);
    tracker.add(part.block);
    at += count;
    take_all(tracker, v.shape, most, rows, taken);
  }
  tracker.end();
  take_all(tracker, v.shape, most, rows, taken);
  for (const auto& row : rows) taken.values.insert(taken.values.end(), row.begin(), row.end());
  return taken;
}

// A wave of a channel, as antennas receive it that are early by some delay: afterwards all have the
// same samples.
TEST(FringeTracker, DelayedWavesBecomeTheSame) {
  const XEngineShape shape{4, 1, 2};
  constexpr long long kSamples = 700;
  FringeSetup setup = setup_of(shape, SampleType::cf32);
  const double delays[] = {0, 0.00837, -0.0123, 0.0005};
  setup.delays = [&](long long) { return std::vector<double>(delays, delays + 4); };
  for (const double wave : {0.0, 0.13, -0.31, 0.4}) {  // turns per sample
    Voltages v{shape, SampleType::cf32, kSamples, {}};
    for (int c = 0; c < 2; ++c)
      for (const double delay : delays)
        for (long long t = 0; t < kSamples; ++t) {
          const double f = setup.frequency[static_cast<std::size_t>(c)];
          const Complex z =
              turned(wave * (static_cast<double>(t) + delay * kRate)) * turned(f * delay);
          const float parts[] = {static_cast<float>(z.real()), static_cast<float>(z.imag())};
          const auto* bytes = reinterpret_cast<const unsigned char*>(parts);
          v.bytes.insert(v.bytes.end(), bytes, bytes + 8);
        }
    const Taken taken = run(setup, v, "tci", {250}, 100);
    ASSERT_EQ(taken.samples, kSamples);
    for (std::size_t row = 0; row < 8; ++row)
      for (long long t = 64; t < kSamples - 64; ++t) {
        const auto at = row * kSamples + static_cast<std::size_t>(t);
        const Complex wanted = turned(wave * static_cast<double>(t));
        ASSERT_LT(std::abs(Complex(taken.values[at]) - wanted), 4e-4) << wave << " " << row;
      }
  }
}

// Phases alone: the definition, one sample at a time.
TEST(FringeTracker, PhasesAreThoseOfTheDelays) {
  const XEngineShape shape{3, 2, 2};
  FringeSetup setup = setup_of(shape);
  setup.shift = false;
  const Voltages v = testing::random_voltages(shape, SampleType::ci8, 300, 7);
  const Taken taken = run(setup, v, "cit", {300}, 300);
  FringeTracker made(setup);
  EXPECT_EQ(made.halo(), 0);
  EXPECT_EQ(made.knot(), 32);  // 0.05 s are 50 samples
  for (std::size_t row = 0; row < 12; ++row)
    for (long long t = 0; t < 300; ++t) {
      const std::size_t at = row * 300 + static_cast<std::size_t>(t);
      const std::size_t antenna = row % 6 / 2, channel = row / 6;
      const Complex sample(static_cast<signed char>(v.bytes[2 * at]),
                           static_cast<signed char>(v.bytes[2 * at + 1]));
      const Complex wanted =
          sample * turned(-setup.frequency[channel] * moving_delays(t, 3)[antenna]);
      ASSERT_LT(std::abs(Complex(taken.values[at]) - wanted), 2e-5 * 128) << row << " " << t;
      ASSERT_EQ(taken.valid[static_cast<std::size_t>(t) * 6 + row % 6], 1);
    }
}

TEST(FringeTracker, VectorsGiveTheReferenceForAllTypes) {
  const XEngineShape shape{3, 2, 2};
  int seed = 0;
  for (const auto type :
       {SampleType::ci8, SampleType::ci4, SampleType::ci16, SampleType::cf16, SampleType::cf32})
    for (const bool shift : {false, true})
      for (const char* layout : {"tci", "act", "odd"}) {
        SCOPED_TRACE(std::string(name_of(type)) + " " + layout + (shift ? " shift" : ""));
        Voltages v = testing::random_voltages(shape, type, 333, static_cast<unsigned>(++seed));
        testing::add_random_mask(v, 90, static_cast<unsigned>(seed));
        FringeSetup simd = setup_of(shape, type), reference = simd;
        simd.shift = reference.shift = shift;
        simd.offset_binary = reference.offset_binary = type == SampleType::ci16;
        reference.method = "reference";
        const Taken ours = run(simd, v, layout, {100}, 77),
                    theirs = run(reference, v, "tci", {333}, 333);
        ASSERT_EQ(ours.samples, 333);
        EXPECT_EQ(ours.valid, theirs.valid);
        float most = 0;
        for (const auto& value : theirs.values) most = std::max(most, std::abs(value));
        ASSERT_GT(most, 0);
        // Sums of 64 products in float, whose weights add up to about 3.
        for (std::size_t k = 0; k < ours.values.size(); ++k)
          ASSERT_LT(std::abs(ours.values[k] - theirs.values[k]), 2e-5F * most) << k;
      }
}

TEST(FringeTracker, BlocksAndThreadsChangeNoBit) {
  const XEngineShape shape{3, 1, 3};
  Voltages v = testing::random_voltages(shape, SampleType::ci8, 400, 3);
  testing::add_random_mask(v, 130, 5);
  FringeSetup setup = setup_of(shape);
  const Taken wanted = run(setup, v, "tci", {400}, 400);
  for (const int threads : {1, 2, 5})
    for (const long long most : {1, 7, 64, 1000}) {
      setup.threads = threads;
      const Taken other = run(setup, v, "tci", {1, 50, 3, 200}, most);
      EXPECT_EQ(other.values, wanted.values) << threads << " " << most;
      EXPECT_EQ(other.valid, wanted.valid) << threads << " " << most;
    }
}

// A sample is there if all its taps are: 31 before and 32 after the place that it is taken from.
TEST(FringeTracker, SamplesNeedAllTheirTaps) {
  const XEngineShape shape{2, 1, 1};
  FringeSetup setup = setup_of(shape);
  setup.delays = [](long long) { return std::vector<double>{0, 0.0055}; };  // 5.5 samples early
  Voltages v = testing::random_voltages(shape, SampleType::ci8, 500, 3);
  v.valid_samples = 1;
  v.valid.assign(1000, 1);
  v.valid[2 * 250] = v.valid[2 * 250 + 1] = 0;
  const Taken taken = run(setup, v, "tci", {130}, 99);
  for (long long t = 0; t < 500; ++t)
    for (const int i : {0, 1}) {
      const long long place = t - (i ? 6 : 0);  // the sample before t - 5.5
      const long long first = place - 31, last = place + 32;
      const bool wanted = first >= 0 && last < 500 && !(first <= 250 && last >= 250);
      ASSERT_EQ(taken.valid[static_cast<std::size_t>(2 * t + i)], wanted ? 1 : 0) << t << " " << i;
    }
}

// Samples after a gap are the same as if the gap had been filled.
TEST(FringeTracker, BeginsAnywhere) {
  const XEngineShape shape{2, 1, 1};
  const Voltages v = testing::random_voltages(shape, SampleType::ci8, 300, 3);
  FringeTracker whole(setup_of(shape)), later(setup_of(shape));
  const LaidOut all = lay_out(v, "tci", 0, 300);
  whole.add_missing(10000);
  whole.add(all.block);
  whole.end();
  later.begin(10000);
  later.add(all.block);
  later.end();
  expect_error([&] { later.add(all.block); }, ErrorKind::usage, "after the end; call begin()");
  EXPECT_EQ(later.ready(), 300);
  whole.take(10000);
  const VoltageBlock a = whole.take(300), b = later.take(300);
  ASSERT_EQ(a.samples, 300);
  EXPECT_EQ(std::memcmp(a.data, b.data, 300 * 2 * 8), 0);
  EXPECT_EQ(std::vector(a.valid.begin(), a.valid.end()),
            std::vector(b.valid.begin(), b.valid.end()));
}

TEST(FringeTracker, WhatIsWrongIsSaid) {
  const auto refused = [](auto spoil, const char* part) {
    FringeSetup setup = setup_of({2, 1, 2});
    spoil(setup);
    expect_error(
        [&] {
          FringeTracker tracker(setup);
          const Voltages v = testing::random_voltages(setup.shape, SampleType::ci8, 300, 3);
          const LaidOut all = lay_out(v, "tci", 0, 300);
          tracker.add(all.block);
          tracker.take(1);
        },
        ErrorKind::usage, part);
  };
  refused([](FringeSetup& s) { s.sample_rate = 0; }, "the sample rate is 0 Hz");
  refused([](FringeSetup& s) { s.frequency.pop_back(); }, "there are 1 frequencies and 2 channels");
  refused([](FringeSetup& s) { s.delays = nullptr; }, "no function for the delays");
  refused([](FringeSetup& s) { s.most_delay = 1; }, "they can be 0 to 0.1 s");
  refused([](FringeSetup& s) { s.most_delay = 1e-5; }, "up to 1e-05 s were announced");
  refused([](FringeSetup& s) { s.method = "fast"; }, "there are auto, simd, cuda and reference");
  refused([](FringeSetup& s) { s.shape.antennas = 0; }, "at least one of each");
  refused([](FringeSetup& s) { s.delays = [](long long) { return std::vector<double>(3); }; },
          "there are 3 delays and 2 antennas");
}

}  // namespace
}  // namespace tessera
