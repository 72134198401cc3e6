// SPDX-License-Identifier: Apache-2.0
// Spectra of a recording as a recording: the definition, gaps, sidebands, gains and times.
#include "jobs/bank/channelised_voltages.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <numbers>

#include "io/output.hpp"
#include "report/json.hpp"
#include "tests/support/files.hpp"
#include "tests/support/voltage_memory.hpp"

namespace tessera {
namespace {

using testing::expect_error;
using testing::MemoryVoltages;
using testing::noise_voltages;
using Value = std::complex<float>;

/// Samples [first, end) of all inputs never arrived.
class GapVoltages : public MemoryVoltages {
 public:
  using MemoryVoltages::MemoryVoltages;
  long long gap_first = 0, gap_end = 0;

  VoltageBlock read(long long most) override {
    const long long before = at_ < gap_first ? gap_first - at_ : most;
    const VoltageBlock block = MemoryVoltages::read(std::min(most, before));
    at_ += block.samples;
    return block;
  }
  long long skip_missing(long long most) override {
    if (at_ < gap_first || at_ >= gap_end) return 0;
    const long long missing = std::min(most, gap_end - at_);
    for (long long left = missing; left > 0;) left -= MemoryVoltages::read(left).samples;
    at_ += missing;
    return missing;
  }

 private:
  long long at_ = 0;
};

/// All spectra, [spectrum][channel][input], and a byte for each [spectrum][input].
struct Spectra {
  std::vector<Value> values;
  std::vector<unsigned char> valid;
  long long skipped = 0;
};

Value value_at(const VoltageBlock& block, SampleType type, const unsigned char* at) {
  if (type == SampleType::ci8) {
    signed char parts[2] = {static_cast<signed char>(*at),
                            static_cast<signed char>(at[block.layout.imaginary])};
    return {static_cast<float>(parts[0]), static_cast<float>(parts[1])};
  }
  float re = 0, im = 0;
  std::memcpy(&re, at, 4);
  std::memcpy(&im, at + block.layout.imaginary, 4);
  return {re, im};
}

Spectra read_spectra(VoltageSource& source, long long most, bool skip = true) {
  const VoltageInfo& info = source.info();
  const int inputs = info.shape.inputs();
  Spectra all;
  for (;;) {
    if (skip) {
      const long long missing = source.skip_missing(most);
      all.skipped += missing;
      all.values.resize(all.values.size() +
                        static_cast<std::size_t>(missing * info.shape.channels * inputs));
      all.valid.resize(all.valid.size() + static_cast<std::size_t>(missing * inputs), 0);
      if (missing > 0) continue;
    }
    const VoltageBlock block = source.read(most);
    if (block.samples == 0) return all;
    EXPECT_LE(block.samples, most);
    const VoltageLayout& l = block.layout;
    for (long long t = 0; t < block.samples; ++t) {
      for (int c = 0; c < info.shape.channels; ++c)
        for (int i = 0; i < inputs; ++i)
          all.values.push_back(value_at(block, info.samples,
                                        static_cast<const unsigned char*>(block.data) +
                                            c * l.channel +
                                            i / info.shape.polarisations * l.antenna +
                                            i % info.shape.polarisations * l.polarisation +
                                            t / l.group * l.group_step + t % l.group * l.time));
      for (int i = 0; i < inputs; ++i)
        all.valid.push_back(
            block.valid.empty() ||
            block.valid[static_cast<std::size_t>(t / block.valid_samples * inputs + i)] != 0);
    }
  }
}

constexpr long long kSamples = 500;
const XEngineShape kRecorded{2, 2, 2};

VoltageInfo recorded_info() {
  VoltageInfo info;
  info.shape = kRecorded;
  info.sample_rate = 1e6;
  info.frequency = {1e9, 1.001e9};
  info.channel_width = 1e6;
  info.set_start(60000, 100);
  return info;
}

FilterBank bank_of_eight(SampleType type = SampleType::cf32, const char* oversample = "1") {
  FilterBank bank;
  bank.options.channels = 8;
  bank.options.taps = 4;
  bank.options.oversample = oversample;
  bank.options.output_type = type;
  return bank;
}

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
          for (const std::size_t limit : {std::size_t{0}, std::size_t{9000}}) {
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

TEST(ChannelisedVoltages, GainsAreMeasuredGivenOrRead) {
  const testing::TemporaryFolder folder;
  const std::vector<signed char> data = noise_voltages(kRecorded, kSamples);
  const auto values = [&](const std::string& gain, SampleType type, std::vector<float>& gains) {
    MemoryVoltages source(recorded_info(), data);
    FilterBank bank = bank_of_eight(type);
    bank.gain = gain;
    ChannelisedVoltages spectra(source, bank, {});
    const Spectra all = read_spectra(spectra, 1000);
    gains = spectra.gains();
    return all.values;
  };
  std::vector<float> gains;
  const std::vector<Value> exact = values("auto", SampleType::cf32, gains);
  EXPECT_TRUE(gains.empty());
  const std::vector<Value> measured = values("auto", SampleType::ci8, gains);
  ASSERT_EQ(gains.size(), 1U);
  std::vector<double> powers(16);
  for (std::size_t k = 0; k < measured.size(); ++k)
    powers[k / 4 % 16] += 16 * std::norm(std::complex<double>(measured[k]));
  std::ranges::sort(powers);
  EXPECT_NEAR(std::sqrt(powers[7] / (2.0 * static_cast<double>(measured.size()))), 20, 0.5);
  for (std::size_t k = 0; k < exact.size(); k += 11)
    EXPECT_EQ(measured[k].real(),
              std::clamp(std::nearbyint(gains[0] * exact[k].real()), -127.F, 127.F));
  EXPECT_EQ(values(std::to_string(gains[0]), SampleType::ci8, gains), measured);
  std::string lines = "# one per channel\n";
  for (int c = 0; c < 16; ++c) lines += std::to_string(0.1 * (c + 1)) + "\n";
  write_text(folder.path("gains.txt"), lines, false);
  const std::vector<Value> read = values(folder.path("gains.txt"), SampleType::ci8, gains);
  ASSERT_EQ(gains.size(), 16U);
  for (std::size_t k = 0; k < exact.size(); k += 11)
    EXPECT_EQ(read[k].imag(),
              std::clamp(std::nearbyint(gains[k / 4 % 16] * exact[k].imag()), -127.F, 127.F));
  expect_error([&] { values(folder.path("gains.txt"), SampleType::cf32, gains); }, ErrorKind::usage,
               "spectra are cf32, which need none");
  write_text(folder.path("gains.txt"), "1 2 x\n", true);
  expect_error([&] { values(folder.path("gains.txt"), SampleType::ci8, gains); }, ErrorKind::input,
               "line 1 has 'x'");
  expect_error([&] { values(folder.path("none.txt"), SampleType::ci8, gains); }, ErrorKind::input,
               "none.txt");
}

// A transmitter saturates its channel; the others keep their levels.
TEST(ChannelisedVoltages, ATransmitterDoesNotHideTheOthers) {
  std::vector<signed char> quiet = noise_voltages(kRecorded, kSamples), loud;
  for (signed char& part : quiet) part = static_cast<signed char>(part / 16);
  loud = quiet;
  // The middle of the first coarse channel.
  for (std::size_t k = 0; k < loud.size(); k += 16)
    for (std::size_t i = 0; i < 4; ++i)
      loud[k + 2 * i] = static_cast<signed char>(loud[k + 2 * i] + 100);
  MemoryVoltages one(recorded_info(), quiet), two(recorded_info(), loud);
  ChannelisedVoltages without(one, bank_of_eight(SampleType::ci8), {}),
      with(two, bank_of_eight(SampleType::ci8), {});
  EXPECT_NEAR(with.gains()[0] / without.gains()[0], 1, 0.1);
  read_spectra(with, 1000);
  EXPECT_GT(with.counts().saturated, 0);
}

// Gains of a file are in the order of the output, however the recording is ordered.
TEST(ChannelisedVoltages, GainsFollowTheOrderOfTheOutput) {
  const testing::TemporaryFolder folder;
  VoltageInfo info = recorded_info();
  info.lower_sideband = true;
  const std::vector<signed char> data = noise_voltages(kRecorded, kSamples);
  std::string lines;
  for (int c = 0; c < 16; ++c) lines += c == 3 ? "0.5\n" : "1e-9\n";
  write_text(folder.path("gains.txt"), lines, false);
  MemoryVoltages source(info, data);
  FilterBank bank = bank_of_eight(SampleType::ci8);
  bank.gain = folder.path("gains.txt");
  ChannelisedVoltages spectra(source, bank, {});
  const Spectra all = read_spectra(spectra, 1000);
  for (std::size_t k = 0; k < all.values.size(); ++k)
    ASSERT_TRUE(k / 4 % 16 == 3 || all.values[k] == Value(0, 0)) << k;
  EXPECT_NE(all.values[3 * 4], Value(0, 0));
}

TEST(ChannelisedVoltages, SilenceHasNoGainToMeasure) {
  MemoryVoltages zero(recorded_info(), std::vector<signed char>(kSamples * 16));
  ChannelisedVoltages spectra(zero, bank_of_eight(SampleType::ci8), {});
  EXPECT_EQ(spectra.gains(), std::vector{1.0F});
  EXPECT_NE(spectra.notes().at(0).find("are all zero"), std::string::npos);
  MemoryVoltages missing(recorded_info(), noise_voltages(kRecorded, 60));
  missing.masked_stretch = 3;  // no 32 samples are whole
  expect_error([&] { ChannelisedVoltages(missing, bank_of_eight(SampleType::ci8), {}); },
               ErrorKind::usage, "have no data to measure a gain from");
  MemoryVoltages little(recorded_info(), noise_voltages(kRecorded, 60));
  expect_error([&] { ChannelisedVoltages(little, bank_of_eight(), {.memory_limit = {100}}); },
               ErrorKind::resources, "--memory-limit is");
}

}  // namespace
}  // namespace tessera
