// SPDX-License-Identifier: Apache-2.0
// Spectra of a recording as a recording: the definition, gaps, sidebands and times.
#include "jobs/bank/channelised_voltages.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "report/json.hpp"
#include "tests/support/files.hpp"
#include "tests/support/voltage_spectra.hpp"

namespace tessera {
namespace {

using testing::bank_of_eight;
using testing::expect_error;
using testing::GapVoltages;
using testing::kRecorded;
using testing::kSamples;
using testing::MemoryVoltages;
using testing::noise_voltages;
using testing::read_spectra;
using testing::recorded_info;
using testing::Spectra;
using testing::Value;

/// The definition, in double. `channel` counts output channels of all coarse ones.
std::complex<double> defined(const Channelise& plan, const std::vector<signed char>& data,
                             int input, long long spectrum, int channel) {
  const int coarse = channel / 8, n2 = plan.transform();
  std::complex<double> sum = 0;
  for (long long n = 0; n < plan.length(); ++n) {
    const long long t = spectrum * plan.hop() + n;
    const auto at = static_cast<std::size_t>(2 * ((t * kRecorded.channels + coarse) * 4 + input));
    const std::complex<double> x(data[at], data[at + 1]);
    const double turns = plan.frequency(channel) * n2 * static_cast<double>(t % n2) / n2;
    sum += double(plan.coefficients()[static_cast<std::size_t>(n)]) * x *
           std::polar(1.0, -2 * std::numbers::pi * turns);
  }
  return sum;
}

TEST(ChannelisedVoltages, SpectraAreTheDefinition) {
  const std::vector<signed char> data = noise_voltages(kRecorded, kSamples);
  for (const char* oversample : {"1", "4/3"}) {
    MemoryVoltages source(recorded_info(), data);
    ChannelisedVoltages spectra(source, bank_of_eight(SampleType::cf32, oversample), {});
    const Spectra all = read_spectra(spectra, 1000);
    const Channelise& plan = spectra.plan();
    const long long count = plan.spectra(kSamples);
    ASSERT_EQ(std::ssize(all.values), count * 16 * 4);
    EXPECT_EQ(spectra.info().length, count);
    for (long long m = 0; m < count; m += 5)
      for (int c = 0; c < 16; ++c)
        for (int i = 0; i < 4; ++i) {
          const std::complex<double> is =
              all.values[static_cast<std::size_t>((m * 16 + c) * 4 + i)];
          ASSERT_LT(std::abs(is - defined(plan, data, i, m, c)), 1e-3) << m << " " << c << " " << i;
        }
  }
}

TEST(ChannelisedVoltages, BlocksThreadsAndMemoryChangeNoBit) {
  const std::vector<signed char> data = noise_voltages(kRecorded, kSamples);
  for (const SampleType type : {SampleType::cf32, SampleType::ci8}) {
    std::optional<Spectra> first;
    for (const long long most : {1, 3, 1000})
      for (const long long read : {1, 7, 1000})
        for (const int threads : {1, 3})
          for (const std::size_t limit : {std::size_t{0}, std::size_t{10000}}) {
            MemoryVoltages source(recorded_info(), data);
            source.most_at_once = read;
            source.masked_stretch = 100;
            ChannelisedVoltages spectra(source, bank_of_eight(type),
                                        {.threads = threads, .memory_limit = {limit}});
            const Spectra all = read_spectra(spectra, most);
            if (!first) first = all;
            EXPECT_EQ(all.values, first->values) << most << read << threads << limit;
            EXPECT_EQ(all.valid, first->valid);
          }
    EXPECT_GT(std::ranges::count(first->valid, 0), 10);
    EXPECT_GT(std::ranges::count(first->valid, 1), 10);
  }
}

TEST(ChannelisedVoltages, SpectraWithAMissingSampleAreMissing) {
  const std::vector<signed char> data = noise_voltages(kRecorded, kSamples);
  MemoryVoltages masked(recorded_info(), data), whole(recorded_info(), data);
  masked.masked_stretch = 90;
  ChannelisedVoltages some(masked, bank_of_eight(), {}), every(whole, bank_of_eight(), {});
  const Spectra is = read_spectra(some, 1000), all = read_spectra(every, 1000);
  ASSERT_EQ(is.values.size(), all.values.size());
  const Channelise& plan = some.plan();
  for (long long m = 0; m < plan.spectra(kSamples); ++m)
    for (int i = 0; i < 4; ++i) {
      bool valid = true;
      for (long long n = 0; n < plan.length(); ++n)
        valid = valid && !masked.is_missing(i, m * plan.hop() + n);
      ASSERT_EQ(is.valid[static_cast<std::size_t>(m * 4 + i)] != 0, valid);
      for (int c = 0; c < 16; ++c) {
        const auto at = static_cast<std::size_t>((m * 16 + c) * 4 + i);
        ASSERT_EQ(is.values[at], valid ? all.values[at] : Value(0, 0));
      }
    }
}

TEST(ChannelisedVoltages, GapsTakeTheirSpectraWithThem) {
  const std::vector<signed char> data = noise_voltages(kRecorded, kSamples);
  MemoryVoltages whole(recorded_info(), data);
  ChannelisedVoltages every(whole, bank_of_eight(), {});
  const Spectra all = read_spectra(every, 1000);
  const Channelise& plan = every.plan();
  for (const auto& [first, end] :
       {std::pair{100LL, 101LL}, {100, 160}, {3, 5}, {1, 400}, {480, 490}})
    for (const long long most : {1, 1000})
      for (const bool skip : {true, false}) {
        GapVoltages source(recorded_info(), data);
        source.gap_first = first;
        source.gap_end = end;
        ChannelisedVoltages spectra(source, bank_of_eight(), {});
        const Spectra is = read_spectra(spectra, most, skip);
        ASSERT_EQ(is.values.size(), all.values.size()) << first;
        for (long long m = 0; m < plan.spectra(kSamples); ++m) {
          const bool valid = m * plan.hop() >= end || m * plan.hop() + plan.length() <= first;
          ASSERT_EQ(is.valid[static_cast<std::size_t>(m * 4)] != 0, valid) << first << " " << m;
          for (std::size_t k = 0; k < 64; ++k) {
            const std::size_t at = static_cast<std::size_t>(m) * 64 + k;
            ASSERT_EQ(is.values[at], valid ? all.values[at] : Value(0, 0)) << m;
          }
        }
        EXPECT_EQ(is.skipped > 0, skip);
      }
}

TEST(ChannelisedVoltages, ChannelsAscendOnTheSky) {
  const std::vector<signed char> data = noise_voltages(kRecorded, kSamples);
  MemoryVoltages plain(recorded_info(), data);
  ChannelisedVoltages upper(plain, bank_of_eight(), {});
  const Spectra up = read_spectra(upper, 1000);
  for (int c = 0; c < 16; ++c)
    EXPECT_NEAR(upper.info().frequency[static_cast<std::size_t>(c)], 1e9 - 0.5e6 + 0.125e6 * c,
                1e-3);
  for (const bool lower : {false, true})
    for (const bool falls : {false, true}) {
      VoltageInfo info = recorded_info();
      info.lower_sideband = lower;
      if (falls) info.frequency = {1e9, 0.999e9};
      MemoryVoltages source(info, data);
      ChannelisedVoltages spectra(source, bank_of_eight(), {});
      const Spectra is = read_spectra(spectra, 7);
      const std::vector<double>& f = spectra.info().frequency;
      for (std::size_t c = 1; c < 16; ++c) EXPECT_NEAR(f[c] - f[c - 1], 0.125e6, 1e-3);
      for (std::size_t c = 0; c < 16; ++c) {
        const std::size_t coarse = falls ? 1 - c / 8 : c / 8, k = lower ? 7 - c % 8 : c % 8;
        // The middle of a coarse channel is its fifth channel, from below or from above.
        EXPECT_TRUE(k != 4 || std::abs(f[c] - info.frequency[coarse]) < 1e-3);
        for (std::size_t m = 0; m < is.values.size() / 64; ++m)
          for (std::size_t i = 0; i < 4; ++i) {
            const Value wanted = up.values[(m * 16 + coarse * 8 + k) * 4 + i];
            ASSERT_EQ(is.values[(m * 16 + c) * 4 + i], lower ? std::conj(wanted) : wanted);
          }
      }
    }
}

TEST(ChannelisedVoltages, AnAssumedSidebandIsTold) {
  VoltageInfo info = recorded_info();
  info.frequency = {1e9, 0.999e9};
  for (const bool assumed : {false, true}) {
    info.sideband_assumed = assumed;
    MemoryVoltages source(info, noise_voltages(kRecorded, kSamples));
    ChannelisedVoltages spectra(source, bank_of_eight(), {});
    const std::vector<std::string> notes = spectra.notes();
    EXPECT_EQ(std::ranges::find(notes, kSidebandNote) != notes.end(), assumed);
    EXPECT_FALSE(spectra.info().sideband_assumed);
  }
}

TEST(ChannelisedVoltages, TimesAreThoseOfTheMiddles) {
  MemoryVoltages source(recorded_info(), noise_voltages(kRecorded, kSamples));
  ChannelisedVoltages spectra(source, bank_of_eight(), {});
  const VoltageInfo& info = spectra.info();
  EXPECT_DOUBLE_EQ(*info.sample_rate, 1e6 / 8);
  EXPECT_DOUBLE_EQ(*info.channel_width, 1e6 / 8);
  // The first is made from 32 samples; half of them have passed in its middle, and half of the time
  // of a spectrum since its start.
  EXPECT_NEAR(info.start_second + 4e-6, 100 + 16e-6, 1e-9);
  const auto bank = Json::parse(info.filter_bank);
  EXPECT_EQ(bank["channels"], 8);
  EXPECT_EQ(bank["hop"], 8);
  EXPECT_EQ(bank["length"], 32);
}

TEST(SampleWindow, HasTheSamplesThatItHoldsAndNoOthers) {
  MemoryVoltages source(recorded_info(), noise_voltages(kRecorded, kSamples));
  SampleWindow window(source.info());
  window.reserve(120);
  EXPECT_EQ(window.bytes(), 120 * 16);
  window.append(source.read(100), 1);
  window.forget(90);
  window.append(source.read(100), 1);
  EXPECT_EQ(window.bytes(), 120 * 16);
  std::vector<unsigned char> mask;
  EXPECT_EQ(window.block(90, 110, mask).samples, 110);
  for (const auto& [first, count] : {std::pair{89LL, 2LL}, {199, 2}, {0, 1}, {200, 1}})
    expect_error([&] { static_cast<void>(window.block(first, count, mask)); }, ErrorKind::failure,
                 "but 90 to 200 are held");
}

}  // namespace
}  // namespace tessera
