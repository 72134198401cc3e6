// SPDX-License-Identifier: Apache-2.0
// The job of channelise, and that it and the X-engine with a filter bank in front give the same
// bits.
#include "jobs/channelise/channelise_job.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "core/machine.hpp"
#include "jobs/xengine/xengine_job.hpp"
#include "report/json.hpp"
#include "tests/support/files.hpp"
#include "tests/support/recordings.hpp"

namespace tessera {
namespace {

using testing::expect_error;
using testing::random_voltages;
using testing::read_bytes;
using testing::Voltages;

/// A raw recording in the folder: 3 antennas of 2 polarisations on the Earth.
Voltages band(bool real, long long samples = 3000) {
  Voltages made = random_voltages({3, 2, 1}, SampleType::ci8, samples);
  made.info.frequency = {150e6};
  made.info.channel_width = real ? 0.5e6 : 1e6;
  made.info.real = real;
  for (std::size_t at = 1; real && at < made.bytes.size(); at += 2) made.bytes[at] = 0;
  made.info.antenna_names = {"a", "b", "c"};
  made.info.antenna_positions = {
      {-2559454, 5095372, -2849057}, {-2559404, 5095392, -2849097}, {-2559494, 5095322, -2849157}};
  return made;
}

SpectraType spectra_type(SampleType type) {
  if (type == SampleType::cf32) return SpectraType::cf32;
  return type == SampleType::ci8 ? SpectraType::ci8 : SpectraType::ci16;
}

class ChanneliseJobTest : public ::testing::Test {
 protected:
  void record(const std::string& name, const Voltages& made, bool gaps) const {
    const auto sink = create_voltages(folder_.path(name), "auto", true);
    sink->begin(made.info);
    std::vector<unsigned char> valid(6, 1);
    for (long long first = 0; first < made.samples; first += 500) {
      VoltageBlock block = made.block(first, std::min(500LL, made.samples - first));
      valid[4] = first == 500 ? 0 : 1;
      if (first == 1500) std::ranges::fill(valid, 0);
      if (gaps) block.valid = valid;
      block.valid_samples = block.samples;
      sink->write(block);
      std::ranges::fill(valid, 1);
    }
    sink->finish();
  }
  ChanneliseJob job(const std::string& in, const std::string& out) const {
    ChanneliseJob made{.inputs = {folder_.path(in)}, .output = folder_.path(out)};
    made.bank.options.channels = 16;
    made.bank.options.taps = 4;
    made.force = true;
    return made;
  }
  XEngineJob correlation(const std::string& in, const std::string& out) const {
    XEngineJob made;
    made.inputs = {folder_.path(in)};
    made.output = folder_.path(out);
    made.choices.integrate.samples = 40;
    made.force = true;
    return made;
  }
  /// One run, with the filter bank in front.
  XEngineJob fused(const std::string& in, const std::string& out, const ChanneliseJob& as) const {
    XEngineJob made = correlation(in, out);
    const ChanneliseOptions& o = as.bank.options;
    made.bank = {.channelise = o.channels,
                 .taps = o.taps,
                 .window = o.window,
                 .oversample = o.oversample,
                 .channelise_type = spectra_type(o.output_type),
                 .gain = as.bank.gain};
    return made;
  }
  std::string bytes(const std::string& name) const { return read_bytes(folder_.path(name)); }
  Json json(const std::string& name) const { return Json::parse(bytes(name)); }

  testing::TemporaryFolder folder_;
};

TEST_F(ChanneliseJobTest, OneRunGivesTheBitsOfTwo) {
  for (const bool real : {false, true})
    for (const bool gaps : {false, true}) {
      record("in.npy", band(real), gaps);
      for (const SampleType type : {SampleType::ci8, SampleType::ci16, SampleType::cf32})
        for (const char* oversample : {"1", "4/3"}) {
          SCOPED_TRACE(::testing::Message() << real << gaps << name_of(type) << oversample);
          ChanneliseJob first = job("in.npy", "s.npy");
          first.bank.options.output_type = type;
          first.bank.options.oversample = oversample;
          first.run();
          const XEngineResult two = correlation("s.npy", "two.npy").run();
          for (const long long block : {0, 1, 17})
            for (const int threads : {1, 3}) {
              XEngineJob one = fused("in.npy", "one.npy", first);
              if (block > 0) one.choices.block = block;
              one.settings.threads = threads;
              const XEngineResult result = one.run();
              EXPECT_EQ(result.samples, two.samples);
              EXPECT_EQ(result.integrations, two.integrations);
              ASSERT_EQ(bytes("one.npy"), bytes("two.npy"));
              EXPECT_EQ(std::filesystem::exists(folder_.path("one_weights.npy")), gaps);
              if (gaps) {
                ASSERT_EQ(bytes("one_weights.npy"), bytes("two_weights.npy"));
              }
              for (const char* key : {"frequency_hz", "middle_mjd_utc", "integration_s",
                                      "channel_width_hz", "samples", "antennas"})
                EXPECT_EQ(json("one.json")[key], json("two.json")[key]) << key;
            }
        }
    }
}

// Spectra stay on the device between the filter bank and the X-engine, unless they are rearranged.
TEST_F(ChanneliseJobTest, OneRunOnADeviceGivesTheBitsOfTwo) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  for (const bool gaps : {false, true})
    for (const bool lower : {false, true})
      for (const SampleType type : {SampleType::ci8, SampleType::cf32}) {
        SCOPED_TRACE(::testing::Message() << gaps << lower << name_of(type));
        Voltages made = band(true);
        made.info.lower_sideband = lower;
        record("in.npy", made, gaps);
        ChanneliseJob first = job("in.npy", "s.npy");
        first.bank.options.output_type = type;
        first.bank.options.backend = Backend::cuda;
        first.run();
        XEngineJob two = correlation("s.npy", "two.npy");
        two.options.backend = Backend::cuda;
        two.run();
        for (const long long block : {0, 1, 17, 64}) {
          XEngineJob one = fused("in.npy", "one.npy", first);
          one.options.backend = Backend::cuda;
          if (block > 0) one.choices.block = block;
          const XEngineResult result = one.run();
          EXPECT_NE(result.ran.find("cuda"), std::string::npos) << result.ran;
          ASSERT_EQ(bytes("one.npy"), bytes("two.npy")) << block;
        }
      }
}

/// A source that reaches antenna 1 later than antenna 0, in channels that descend.
Voltages descending_band(long long samples) {
  Voltages made = random_voltages({2, 1, 2}, SampleType::ci8, samples);
  made.info.frequency = {150e6, 149e6};
  made.info.channel_width = 1e6;
  unsigned state = 1;
  const auto draw = [&] { return static_cast<int>((state = state * 1664525 + 1013904223) >> 26); };
  for (std::size_t at = 0; at + 4 <= made.bytes.size(); at += 4) {
    const double re = draw() - 32, im = draw() - 32, c = std::cos(0.7), s = std::sin(0.7);
    const double parts[] = {re, im, re * c + im * s, im * c - re * s};  // turned by -0.7
    for (std::size_t k = 0; k < 4; ++k)
      made.bytes[at + k] =
          static_cast<unsigned char>(static_cast<signed char>(std::lround(parts[k])));
  }
  return made;
}

// One recording has one convention, with and without a filter bank.
TEST_F(ChanneliseJobTest, DescendingChannelsHaveTheSamePhasesEitherWay) {
  const auto phases = [&](const std::string& name) {
    const Json told = json(name + ".json");
    const std::string file = bytes(name + ".npy");
    std::vector<double> all;
    const std::size_t each = 3 * 2 * 8;  // baselines, parts
    const auto channels = told["frequency_hz"].size();
    for (std::size_t c = 0; c < channels; ++c) {
      double parts[2];
      std::memcpy(parts, file.data() + file.size() - (channels - c) * each + 16, 16);
      all.push_back(std::atan2(parts[1], parts[0]));
    }
    return all;
  };
  record("in.raw", descending_band(4000), false);
  XEngineJob direct = correlation("in.raw", "direct.npy");
  direct.choices.integrate = {};
  direct.options.output_type = VisibilityType::f64;
  const XEngineResult result = direct.run();
  EXPECT_EQ(result.integrations, 1);
  ChanneliseJob as = job("in.raw", "none.npy");
  as.bank.options.output_type = SampleType::cf32;
  as.bank.gain = "auto";
  XEngineJob one = fused("in.raw", "one.npy", as);
  one.choices.integrate = {};
  one.options.output_type = VisibilityType::f64;
  const XEngineResult made = one.run();
  ASSERT_EQ(phases("direct").size(), 2U);
  ASSERT_EQ(phases("one").size(), 32U);
  for (const char* name : {"direct", "one"})
    for (const double phase : phases(name)) EXPECT_NEAR(phase, -0.7, 0.05) << name;
  for (const XEngineResult* told : {&result, &made})
    EXPECT_EQ(std::ranges::count(told->notes, std::string(kSidebandNote)), 1);
  one.reading.sideband = Sideband::lower;
  one.run();
  for (const double phase : phases("one")) EXPECT_NEAR(phase, 0.7, 0.05);
  direct.reading.sideband = Sideband::lower;
  expect_error([&] { direct.run(); }, ErrorKind::usage, "--sideband upper to take the samples as");
}

TEST_F(ChanneliseJobTest, ARecordingShorterThanTheFilterIsToldInBothRuns) {
  record("in.npy", band(false, 60), false);
  ChanneliseJob two = job("in.npy", "s.npy");
  const char* const part = "a spectrum is made from 64 samples, and the recording has fewer";
  expect_error([&] { two.run(); }, ErrorKind::input, part);
  expect_error([&] { fused("in.npy", "one.npy", two).run(); }, ErrorKind::input, part);
}

// The message names how many samples to skip, and they do fit.
TEST_F(ChanneliseJobTest, VdifIsToldHowManySamplesToSkip) {
  record("in.npy", band(false, 60000), false);
  ChanneliseJob made = job("in.npy", "s.vdif");
  std::string text;
  try {
    made.run();
  } catch (const Error& error) {
    text = error.what();
  }
  const std::size_t at = text.find("; skip ");
  ASSERT_NE(at, std::string::npos) << text;
  made.reading.skip = std::stoll(text.substr(at + 7));
  EXPECT_GT(made.reading.skip, 0);
  EXPECT_GT(made.run().spectra, 0);
}

TEST_F(ChanneliseJobTest, PhaseCentresAndUvfitsWorkOnTheFly) {
  record("in.npy", band(false), true);
  for (const SampleType type : {SampleType::ci8, SampleType::cf32}) {
    ChanneliseJob first = job("in.npy", "s.npy");
    first.bank.options.output_type = type;
    first.run();
    XEngineJob two = correlation("s.npy", "v.uvfits");
    two.choices.phase_centre = "zenith";
    XEngineJob one = fused("in.npy", "v.uvfits", first);
    one.choices.phase_centre = "zenith";
    two.run();
    const std::string wanted = bytes("v.uvfits");
    one.choices.block = 13;
    one.run();
    // HISTORY names the filter bank; all else is the same.
    const auto after_header = [](const std::string& all) {
      std::size_t card = 0;
      while (all.compare(card, 8, "END     ") != 0) card += 80;
      return all.substr((card / 2880 + 1) * 2880);
    };
    const std::string is = bytes("v.uvfits");
    EXPECT_GT(after_header(is).size(), 28800U);
    EXPECT_TRUE(after_header(is) == after_header(wanted));
  }
}

TEST_F(ChanneliseJobTest, TheDescriptionTellsWhatWasDone) {
  record("in.npy", band(true), true);
  ChanneliseJob made = job("in.npy", "s.npy");
  made.bank.gain = "0.25";
  const ChanneliseResult result = made.run();
  EXPECT_EQ(result.channels, 16);
  EXPECT_EQ(result.samples_type, "real ci8");
  EXPECT_EQ(result.output_type, "ci8");
  EXPECT_EQ(result.spectra, (3000 - 128) / 32 + 1);
  EXPECT_GT(result.missing, 0.1);
  EXPECT_EQ(result.gains, std::vector{0.25F});
  EXPECT_EQ(result.files.size(), 2U);
  const Json told = json("s.npy.json");
  EXPECT_EQ(told["channels"], 16);
  EXPECT_EQ(told["antenna_names"][2], "c");
  EXPECT_EQ(told["sample_rate"], 1e6 / 32);
  EXPECT_EQ(told["frequency"][0], 149.75e6);
  EXPECT_EQ(told["frequency"][1], 149.75e6 + 1e6 / 32);
  EXPECT_EQ(told["scale"], 4);
  EXPECT_EQ(told["filter_bank"]["taps"], 4);
  EXPECT_EQ(told["filter_bank"]["gain"], 0.25);
  EXPECT_EQ(told["filter_bank"]["recorded_samples"], "real ci8");
  EXPECT_GE(told["missing"].size(), 2U);
}

TEST_F(ChanneliseJobTest, FormatsThatCannotTellGapsRefuseThem) {
  record("in.npy", band(false), true);
  for (const char* name : {"s.raw", "s.dada"}) {
    expect_error([&] { job("in.npy", name).run(); }, ErrorKind::usage,
                 "which this format cannot tell from zeros; write .npy, .bin or .vdif");
    EXPECT_FALSE(std::filesystem::exists(folder_.path(name)));
  }
  record("in.npy", band(false), false);
  job("in.npy", "s.npy").run();
  const XEngineResult wanted = correlation("s.npy", "two.npy").run();
  for (const char* name : {"s.raw", "s.dada", "s.bin"}) {
    job("in.npy", name).run();
    const XEngineResult result = correlation(name, "one.npy").run();
    EXPECT_EQ(result.samples, wanted.samples);
    EXPECT_EQ(bytes("one.npy"), bytes("two.npy")) << name;
  }
}

TEST_F(ChanneliseJobTest, BadChoicesAreOneSentence) {
  record("in.npy", band(false, 40), false);
  expect_error([&] { job("in.npy", "s.npy").run(); }, ErrorKind::input,
               "a spectrum is made from 64 samples, and the recording has fewer");
  expect_error([&] { job("in.npy", "in.npy").run(); }, ErrorKind::usage, "in.npy");
  expect_error([&] { job("in.npy", "s.png").run(); }, ErrorKind::usage, "extension");
  XEngineJob made = correlation("in.npy", "v.npy");
  made.bank.taps = 9;
  expect_error([&] { made.run(); }, ErrorKind::usage, "--channelise is not given");
  expect_error(
      [&] {
        ChanneliseJob stopped = job("in.npy", "s.npy");
        stopped.bank.options.taps = 1;
        stopped.run([](long long, long long) { throw Error(ErrorKind::failure, "stopped"); });
      },
      ErrorKind::failure, "stopped");
  EXPECT_FALSE(std::filesystem::exists(folder_.path("s.npy")));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("s.npy.json")));
}

TEST_F(ChanneliseJobTest, LimitsCountSpectra) {
  record("in.npy", band(false), false);
  ChanneliseJob made = job("in.npy", "s.npy");
  made.choices.limit = 5;
  EXPECT_EQ(made.run().spectra, 5);
  const auto source = open_voltages({folder_.path("s.npy")});
  EXPECT_EQ(source->info().length, 5);
  EXPECT_EQ(source->info().shape, (XEngineShape{3, 2, 16}));
}

}  // namespace
}  // namespace tessera
