// SPDX-License-Identifier: Apache-2.0
// Gains of integer spectra: measured, given and read.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <tuple>

#include "io/output.hpp"
#include "jobs/bank/channel_powers.hpp"
#include "jobs/bank/channelised_voltages.hpp"
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
using testing::MaskedGapVoltages;
using testing::MemoryVoltages;
using testing::noise_voltages;
using testing::read_spectra;
using testing::recorded_info;
using testing::Spectra;
using testing::Value;

TEST(ChannelisedGain, GainsAreMeasuredGivenOrRead) {
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

// The shapes of a file: one number, one per channel, or a line per channel with one per input.
TEST(ChannelisedGain, FilesOfGainsHaveALinePerChannel) {
  const testing::TemporaryFolder folder;
  const std::string file = folder.path("gains.txt");
  const auto bank_with = [&](int lines, int words, const std::string& last = "") {
    std::string text = "# gains\n\n";
    for (int n = 0; n < lines; ++n)
      for (int k = 0; k < words; ++k)
        text += std::to_string(1 + n * words + k) + (k + 1 < words ? " " : "\n");
    write_text(file, text + last, true);
    MemoryVoltages source(recorded_info(), noise_voltages(kRecorded, kSamples));
    FilterBank bank = bank_of_eight(SampleType::ci8);
    bank.gain = file;
    const ChannelisedVoltages spectra(source, bank, {});
    EXPECT_EQ(spectra.info().scale, spectra.gains().size() == 1 ? 1 / spectra.gains()[0] : 1);
    return Json::parse(spectra.info().filter_bank)["gain"];
  };
  EXPECT_EQ(bank_with(1, 1), 1.0);
  const Json each = bank_with(16, 1), line = bank_with(1, 16), all = bank_with(16, 4);
  ASSERT_EQ(each.size(), 16);
  EXPECT_EQ(each[15], 16.0);
  EXPECT_EQ(line, each);
  ASSERT_EQ(all.size(), 16);
  ASSERT_EQ(all[3].size(), 4);
  EXPECT_EQ(all[3][1], 14.0);
  for (const auto& [lines, words, part] : {std::tuple{4, 16, "64 numbers in 4 lines of 16"},
                                           {1, 64, "64 numbers in 1 line;"},
                                           {8, 2, "16 numbers in 8 lines of 2"},
                                           {2, 1, "2 numbers in 2 lines of 1"}})
    expect_error([&] { bank_with(lines, words); }, ErrorKind::input,
                 std::string("gains.txt: it has ") + part);
  expect_error([&] { bank_with(15, 4, "1 2 3\n4\n"); }, ErrorKind::input,
               "gains.txt: it has 64 numbers in 17 lines; write one gain, 16 (one per channel), or "
               "16 lines of 4 (one per input)");
  expect_error([&] { bank_with(15, 1, "-2\n"); }, ErrorKind::input,
               "gains.txt: a gain is -2, and gains are positive");
}

// A transmitter saturates its channel; the others keep their levels.
TEST(ChannelisedGain, ATransmitterDoesNotHideTheOthers) {
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
TEST(ChannelisedGain, GainsFollowTheOrderOfTheOutput) {
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

/// 20 over the rms of the channel of median power, over the first stretch of spectra that are
/// there.
double defined_gain(const Spectra& floats) {
  std::vector<double> powers(16);
  double count = 0;
  for (std::size_t m = 0; m < floats.valid.size() / 4; ++m) {
    if (!floats.valid[m * 4] && count > 0) break;
    if (!floats.valid[m * 4]) continue;
    count += 8;  // parts of a channel
    for (std::size_t k = 0; k < 64; ++k)
      powers[k / 4] += std::norm(std::complex<double>(floats.values[m * 64 + k]));
  }
  std::ranges::sort(powers);
  return 20 / std::sqrt(powers[7] / count);
}

// The gain comes from the first spectra that are whole, also behind a gap, whether the samples of a
// gap are skipped or masked.
TEST(ChannelisedGain, GainsAreMeasuredUpToAGap) {
  std::vector<signed char> data = noise_voltages(kRecorded, kSamples);
  // Quieter at first, so that it matters which spectra count.
  for (std::size_t k = 0; k < 16UL * 250; ++k) data[k] = static_cast<signed char>(data[k] / 3);
  for (const auto& [first, end] : {std::pair{3LL, 5LL},
                                   {20, 400},
                                   {31, 32},
                                   {1, 41},
                                   {0, 300},
                                   {100, 101},
                                   {200, 220},
                                   {460, 490}})
    for (const std::size_t limit : {std::size_t{0}, std::size_t{11000}}) {
      const RunSettings settings{.memory_limit = {limit}};
      GapVoltages for_floats(recorded_info(), data), gap(recorded_info(), data);
      MaskedGapVoltages mask(recorded_info(), data);
      for_floats.gap_first = gap.gap_first = mask.gap_first = first;
      for_floats.gap_end = gap.gap_end = mask.gap_end = end;
      ChannelisedVoltages floats(for_floats, bank_of_eight(), {}),
          skipped(gap, bank_of_eight(SampleType::ci8), settings),
          masked(mask, bank_of_eight(SampleType::ci8), settings);
      const Spectra exact = read_spectra(floats, 1000);
      ASSERT_EQ(skipped.gains().size(), 1U);
      EXPECT_NEAR(skipped.gains()[0] / defined_gain(exact), 1, 0.006) << first << " " << end;
      EXPECT_EQ(skipped.gains(), masked.gains()) << first << " " << end;
      EXPECT_EQ(skipped.gain_spectra(), masked.gain_spectra());
      EXPECT_EQ(skipped.notes(), masked.notes());
      const Spectra is = read_spectra(skipped, 7), same = read_spectra(masked, 1000);
      EXPECT_EQ(is.values, same.values) << first << " " << end;
      EXPECT_EQ(is.valid, same.valid);
      EXPECT_EQ(is.valid, exact.valid);
      for (std::size_t k = 0; k < is.values.size(); k += 7)
        ASSERT_EQ(
            is.values[k].real(),
            std::clamp(std::nearbyint(skipped.gains()[0] * exact.values[k].real()), -127.F, 127.F));
    }
}

TEST(ChannelisedGain, MeasuringAGainKeepsTheMemoryLimit) {
  MemoryVoltages source(recorded_info(), noise_voltages(kRecorded, kSamples));
  expect_error(
      [&] {
        ChannelisedVoltages(source, bank_of_eight(SampleType::ci8), {.memory_limit = {9000}});
      },
      ErrorKind::resources, "an automatic gain is measured over 59 spectra, which take");
  FilterBank given = bank_of_eight(SampleType::ci8);
  given.gain = "0.5";
  ChannelisedVoltages(source, given, {.memory_limit = {9000}});
}

/// Samples of cf32 that all have one value.
class FloatVoltages : public VoltageSource {
 public:
  explicit FloatVoltages(float value) : values_(16, value) {
    info_.shape = {1, 1, 1};
    info_.samples = SampleType::cf32;
    info_.length = 500;
  }
  const VoltageInfo& info() const override { return info_; }
  VoltageBlock read(long long most) override {
    const long long count = std::min({most, 8LL, 500 - at_});
    at_ += count;
    return {values_.data(), count, voltage_layout("tci", info_.shape, info_.samples, count)};
  }
  bool truncated() const override { return false; }
  std::vector<std::string> warnings() const override { return {}; }

 private:
  VoltageInfo info_;
  std::vector<float> values_;
  long long at_ = 0;
};

TEST(ChannelisedGain, GainsThatCannotBeMeasuredAreRefused) {
  for (const auto& [value, part] :
       {std::pair{std::numeric_limits<float>::quiet_NaN(),
                  "the first 59 spectra to measure a gain from are not numbers"},
        {1e-40F, "too weak for an automatic gain; give --output-type cf32"}}) {
    FloatVoltages source(value);
    expect_error([&] { ChannelisedVoltages(source, bank_of_eight(SampleType::ci8), {}); },
                 ErrorKind::usage, part);
  }
  MemoryVoltages late(recorded_info(), noise_voltages(kRecorded, 60));
  late.masked_stretch = 3;  // no 32 samples are whole
  expect_error([&] { ChannelisedVoltages(late, bank_of_eight(SampleType::ci8), {}); },
               ErrorKind::usage, "its 4 spectra have no data to measure a gain from");
  EXPECT_TRUE(std::isinf(automatic_gain({1e-90}, SampleType::ci8)));
  EXPECT_EQ(automatic_gain({}, SampleType::ci8), 1);
  EXPECT_EQ(automatic_gain({0, 4}, SampleType::ci8), 10);
}

TEST(ChannelisedGain, SilenceHasNoGainToMeasure) {
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
