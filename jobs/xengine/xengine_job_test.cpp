// SPDX-License-Identifier: Apache-2.0
#include "jobs/xengine/xengine_job.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "tests/support/files.hpp"
#include "tests/support/voltage_memory.hpp"

namespace tessera {
namespace {

using testing::expect_error;
using testing::expected_visibility;
using testing::MemoryVoltages;
using testing::noise_voltages;
using testing::read_bytes;

constexpr long long kNpyStart = 256;

class XEngineJobTest : public ::testing::Test {
 protected:
  XEngineJob job(const std::string& output) const {
    XEngineJob made;
    made.inputs = {"memory"};
    made.output = folder_.path(output);
    return made;
  }
  VoltageInfo info() const {
    VoltageInfo info;
    info.shape = shape_;
    return info;
  }
  XEngineResult run(const XEngineJob& made, const VoltageInfo& info) const {
    MemoryVoltages source(info, data_);
    return made.run_on(source);
  }
  Json json(const std::string& name) const { return Json::parse(read_bytes(folder_.path(name))); }

  testing::TemporaryFolder folder_;
  XEngineShape shape_{3, 2, 4};
  std::vector<signed char> data_ = noise_voltages(shape_, 100);
};

TEST_F(XEngineJobTest, IntegrationsAreSumsOfTheirSamples) {
  XEngineJob made = job("v.npy");
  made.choices.integrate.samples = 30;  // 30, 30, 30 and 10
  made.choices.block = 7;
  const XEngineResult result = run(made, info());
  EXPECT_EQ(result.samples, 100);
  EXPECT_EQ(result.integrations, 4);
  EXPECT_EQ(result.files,
            (std::vector<std::string>{folder_.path("v.npy"), folder_.path("v.json")}));
  const std::string bytes = read_bytes(folder_.path("v.npy"));
  ASSERT_EQ(std::ssize(bytes), kNpyStart + 4 * 4 * 6 * 4 * 16);
  EXPECT_NE(bytes.find("'shape': (4, 4, 6, 2, 2, 2,)"), std::string::npos);
  std::vector<long long> values(4 * 4 * 6 * 4 * 2);
  std::memcpy(values.data(), bytes.data() + kNpyStart, values.size() * 8);
  std::size_t at = 0;
  for (int t = 0; t < 4; ++t)
    for (int c = 0; c < 4; ++c)
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b <= a; ++b)
          for (int p = 0; p < 4; ++p, at += 2) {
            const auto wanted = expected_visibility(data_, shape_, c, 2 * a + p / 2, 2 * b + p % 2,
                                                    30 * t, std::min(30 * t + 30, 100));
            ASSERT_EQ(static_cast<double>(values[at]), wanted.real()) << at;
            ASSERT_EQ(static_cast<double>(values[at + 1]), wanted.imag()) << at;
          }
  const Json told = json("v.json");
  EXPECT_EQ(told["shape"], (Json{4, 4, 6, 2, 2, 2}));
  EXPECT_EQ(told["samples"], (Json{30, 30, 30, 10}));
  EXPECT_EQ(told["baselines"].size(), 6);
  EXPECT_EQ(told["baselines"][4], (Json{2, 1}));
  EXPECT_EQ(told["axes"].size(), told["shape"].size());
  EXPECT_TRUE(told["frequency_hz"].is_null());
  EXPECT_TRUE(told["weights_file"].is_null());
}

// Bytes of the input are those of the data in the file, not of converted samples, and without
// headers.
TEST_F(XEngineJobTest, RatesAreOfWhatWasRecorded) {
  EXPECT_EQ(run(job("a.npy"), info()).input_bytes, 100 * 24 * 2);
  VoltageInfo two_bits = info();
  two_bits.bits = 2;
  double bits = 0;
  MemoryVoltages source(two_bits, data_);
  source.most_at_once = 9;
  source.masked_stretch = 5;
  double missing = 0;
  for (int i = 0; i < 6; ++i)
    for (int t = 0; t < 100; ++t) missing += source.is_missing(i, t) ? 1 : 0;
  const XEngineResult result = job("b.npy").run_on(source, {}, &bits);
  EXPECT_EQ(bits, 24 * 2);
  EXPECT_GT(missing, 0);
  EXPECT_NEAR(result.input_bytes, (100 - missing / 6) * 24 * 2 / 8, 1e-9);
}

// The total of the progress is the known length, else what the files state, else the limit; never
// less than the amount done.
TEST_F(XEngineJobTest, ProgressKnowsItsEnd) {
  int runs = 0;
  const auto end_of = [&](std::optional<long long> length, long long expected,
                          std::optional<long long> limit) {
    XEngineJob made = job(fmt::format("{}.npy", ++runs));
    made.choices.limit = limit;
    made.choices.block = 30;
    MemoryVoltages source(info(), data_);
    source.tell(length, expected);
    std::vector<long long> ends;
    made.run_on(source, [&](long long done, long long all) {
      EXPECT_TRUE(all == 0 || done <= all);
      ends.push_back(all);
    });
    return ends.front();
  };
  EXPECT_EQ(end_of(100, 0, {}), 100);
  EXPECT_EQ(end_of(100, 0, 40), 40);
  EXPECT_EQ(end_of({}, 99, {}), 99);
  EXPECT_EQ(end_of({}, 99, 45), 45);
  EXPECT_EQ(end_of({}, 0, 45), 45);
  EXPECT_EQ(end_of({}, 0, {}), 0);
}

// Blocks, threads and memory change no byte.
TEST_F(XEngineJobTest, SameBytesHoweverItRuns) {
  XEngineJob made = job("a.npy");
  made.choices.integrate.samples = 37;
  run(made, info());
  const std::string wanted = read_bytes(folder_.path("a.npy"));
  int n = 0;
  for (const long long block : {1, 5, 16, 1000})
    for (const int threads : {1, 2, 3, 7}) {
      XEngineJob other = job("b" + std::to_string(++n) + ".npy");
      other.choices.integrate.samples = 37;
      other.choices.block = block;
      other.settings.threads = threads;
      run(other, info());
      EXPECT_EQ(read_bytes(other.output), wanted) << block << " " << threads;
    }
  XEngineJob small = job("c.npy");
  small.choices.integrate.samples = 37;
  small.settings.memory_limit.bytes = 3 * 48 * 4;  // four samples per block
  run(small, info());
  EXPECT_EQ(read_bytes(small.output), wanted);
}

TEST_F(XEngineJobTest, TimesAndFrequenciesAreTold) {
  VoltageInfo told = info();
  told.set_start(60000, 43200.25);
  told.sample_rate = 1000;
  told.channel_width = 2e6;
  told.frequency = {1.408e9, 1.406e9, 1.404e9, 1.402e9};
  XEngineJob made = job("v.npy");
  made.options.average = 2;
  made.choices.integrate.seconds = 0.05;
  const XEngineResult result = run(made, told);
  EXPECT_EQ(result.integrations, 2);
  EXPECT_DOUBLE_EQ(result.recorded_seconds.value_or(0), 0.1);
  const Json json = this->json("v.json");
  EXPECT_EQ(json["frequency_hz"], (Json{1.407e9, 1.403e9}));
  EXPECT_EQ(json["channel_width_hz"], 4e6);
  EXPECT_EQ(json["integration_s"], (Json{0.05, 0.05}));
  EXPECT_NEAR(json["middle_mjd_utc"][1].get<double>(), 60000 + (43200.25 + 0.075) / 86400, 1e-11);
}

TEST_F(XEngineJobTest, CountsOfMissingSamplesLieBesideThem) {
  XEngineJob made = job("v.npy");
  made.choices.integrate.samples = 50;
  MemoryVoltages source(info(), data_);
  source.masked_stretch = 4;
  const XEngineResult result = made.run_on(source);
  EXPECT_GT(result.invalid, 0.3);
  EXPECT_EQ(json("v.json")["weights_file"], "v_weights.npy");
  const std::string bytes = read_bytes(folder_.path("v_weights.npy"));
  ASSERT_EQ(std::ssize(bytes), kNpyStart + 2 * 6 * 4 * 8);
  std::vector<long long> counts(2 * 6 * 4);
  std::memcpy(counts.data(), bytes.data() + kNpyStart, counts.size() * 8);
  std::size_t at = 0;
  for (int t = 0; t < 2; ++t)
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b <= a; ++b)
        for (int p = 0; p < 4; ++p, ++at) {
          long long wanted = 0;
          for (int s = 50 * t; s < 50 * t + 50; ++s)
            wanted += !source.is_missing(2 * a + p / 2, s) && !source.is_missing(2 * b + p % 2, s);
          EXPECT_EQ(counts[at], wanted) << at;
        }
  // If no samples are missing, the next run removes the counts of this one.
  made.force = true;
  run(made, info());
  EXPECT_FALSE(std::filesystem::exists(folder_.path("v_weights.npy")));
}

TEST_F(XEngineJobTest, RawHasTheBytesOfNpy) {
  for (const auto order : {VisibilityOrder::triangular, VisibilityOrder::full})
    for (const auto type :
         {VisibilityType::i64, VisibilityType::i32, VisibilityType::f32, VisibilityType::f64}) {
      XEngineJob npy = job("v.npy"), raw = job("w.raw");
      for (XEngineJob* made : {&npy, &raw}) {
        made->options.order = order;
        made->options.output_type = type;
        made->force = true;
        run(*made, info());
      }
      EXPECT_EQ(read_bytes(npy.output).substr(kNpyStart), read_bytes(raw.output));
      const Json told = json("w.json");
      long long bytes = std::stoll(told["dtype"].get<std::string>().substr(2));
      for (const auto& axis : told["shape"]) bytes *= axis.get<long long>();
      EXPECT_EQ(bytes, std::ssize(read_bytes(raw.output)));
    }
}

TEST_F(XEngineJobTest, TruncatedRecordingsKeepWhatWasWhole) {
  XEngineJob made = job("v.npy");
  MemoryVoltages source(info(), data_);
  source.warning = "memory: block 3 is cut short";
  const XEngineResult result = made.run_on(source);
  EXPECT_TRUE(result.truncated);
  EXPECT_EQ(result.warnings, std::vector<std::string>{source.warning});
  EXPECT_EQ(result.samples, 100);
}

TEST_F(XEngineJobTest, LimitsAreKept) {
  XEngineJob made = job("v.npy");
  made.choices.limit = 33;
  made.choices.integrate.samples = 11;
  long long last = 0, all = 0;
  MemoryVoltages source(info(), data_);
  const XEngineResult result = made.run_on(source, [&](long long done, long long of) {
    EXPECT_GE(done, last);
    last = done;
    all = of;
  });
  EXPECT_EQ(result.samples, 33);
  EXPECT_EQ(result.integrations, 3);
  EXPECT_EQ(last, 33);
  EXPECT_EQ(all, 33);
}

TEST_F(XEngineJobTest, PicturesOfMatrixAndFringes) {
  XEngineJob made = job("v.npy");
  made.choices.integrate.samples = 25;
  made.choices.picture = folder_.path("v.svg");
  const XEngineResult result = run(made, info());
  const std::string numbers = read_bytes(folder_.path("v.tsv"));
  EXPECT_EQ(std::ranges::count(numbers, '\n'), 1 + 6 * 7 / 2 + 2 * (4 + 4));
  const auto corner = expected_visibility(data_, shape_, 2, 5, 0, 0, 100);
  const double power = expected_visibility(data_, shape_, 2, 5, 5, 0, 100).real() *
                       expected_visibility(data_, shape_, 2, 0, 0, 0, 100).real();
  EXPECT_NE(numbers.find(fmt::format("matrix\t5\t0\t{:.6g}\t{:.6g}\n",
                                     std::abs(corner) / std::sqrt(power),
                                     std::arg(corner) * 180 / 3.14159265358979323846)),
            std::string::npos)
      << numbers;
}

// Samples whose visibilities would have wrong phases need a filter bank.
TEST_F(XEngineJobTest, SidebandsAndRealSamplesAreNotIgnored) {
  VoltageInfo lower = info(), assumed = info(), real = info();
  lower.lower_sideband = true;
  expect_error([&] { run(job("v.npy"), lower); }, ErrorKind::usage,
               "a lower sideband), so that phases would have the wrong sign; give --channelise N");
  assumed.sideband_assumed = true;
  EXPECT_EQ(std::ranges::count(run(job("a.npy"), assumed).notes, std::string(kSidebandNote)), 1);
  EXPECT_TRUE(run(job("b.npy"), info()).notes.empty());
  EXPECT_EQ(read_bytes(folder_.path("a.npy")), read_bytes(folder_.path("b.npy")));
  // Sums of real samples have no phases, but means are imaged.
  real.real = real.lower_sideband = true;
  run(job("c.npy"), real);
  real.sample_rate = 1e6;
  real.set_start(60000, 0);
  real.frequency = {1e9, 1.1e9, 1.2e9, 1.3e9};
  expect_error([&] { run(job("c.uvfits"), real); }, ErrorKind::usage,
               "samples are real, so that delays are not phases; give --channelise N");
}

TEST_F(XEngineJobTest, WhatIsWrongIsSaidAndNothingIsLeft) {
  struct Case {
    std::function<void(XEngineJob&)> spoil;
    ErrorKind kind;
    const char* part;
  };
  const Case cases[] = {
      {[](XEngineJob& j) { j.output += ".fits"; }, ErrorKind::usage,
       "it must end in .npy, .raw, .bin, .uvfits, .uvf or .ms"},
      {[](XEngineJob& j) { j.options.average = 3; }, ErrorKind::usage, "it must divide them"},
      {[](XEngineJob& j) { j.choices.block = 0; }, ErrorKind::usage,
       "block is 0; it can be 1 or more samples"},
      {[](XEngineJob& j) { j.choices.limit = -4; }, ErrorKind::usage,
       "limit is -4; it can be 1 or more samples"},
      {[](XEngineJob& j) { j.choices.integrate.seconds = 1; }, ErrorKind::usage,
       "does not state its sample rate"},
      {[](XEngineJob& j) { j.choices.array = j.output + ".txt"; }, ErrorKind::input, "v.npy.txt"},
      {[](XEngineJob& j) { j.choices.phase_centre = "north"; }, ErrorKind::usage,
       "it must be auto, zenith, or right ascension and declination"},
      {[](XEngineJob& j) {
         j.output += ".uvfits";
         j.options.order = VisibilityOrder::full;
       },
       ErrorKind::usage, "leave out --order full, or write .npy"},
      {[](XEngineJob& j) {
         j.output += ".uvfits";
         j.choices.phase_centre = "zenith";
       },
       ErrorKind::usage, "give --array"},
      {[](XEngineJob& j) { j.settings.memory_limit.bytes = 100; }, ErrorKind::resources,
       "--memory-limit is 100"},
      {[](XEngineJob& j) {
         j.choices.picture = j.output + ".png";
         j.choices.picture_channel = 4;
       },
       ErrorKind::usage, "it must be 0 to 3"},
      {[](XEngineJob& j) { j.inputs.clear(); }, ErrorKind::usage, "name its files"},
  };
  for (const Case& one : cases) {
    XEngineJob made = job("v.npy");
    one.spoil(made);
    expect_error([&] { run(made, info()); }, one.kind, one.part);
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path())) << one.part;
  }
  data_.clear();
  expect_error([&] { run(job("v.npy"), info()); }, ErrorKind::input, "there are no samples");
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(XEngineJobTest, OutputsThatExistStay) {
  for (const std::string name : {"v.npy", "v_weights.npy", "v.json"}) {
    std::ofstream(folder_.path(name)) << "old";
    expect_error([&] { run(job("v.npy"), info()); }, ErrorKind::usage, name);
    EXPECT_EQ(read_bytes(folder_.path(name)), "old");
    std::filesystem::remove(folder_.path(name));
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
  }
}

TEST_F(XEngineJobTest, AntennaListsOfAnotherLength) {
  std::ofstream(folder_.path("two.txt")) << "# name x y z\na 1 2 3\n\nb, 4, 5, 6  # comment\n";
  std::ofstream(folder_.path("bad.txt")) << "a 1 2 3\nb 4 5\n";
  XEngineJob made = job("v.npy");
  made.choices.array = folder_.path("two.txt");
  expect_error([&] { run(made, info()); }, ErrorKind::usage,
               "has 2 antennas, but the recording 3; give one line per antenna");
  made.choices.array = folder_.path("bad.txt");
  expect_error([&] { run(made, info()); }, ErrorKind::input, "line 2 is not name x y z");
}

TEST(IntegrationLength, AsUsersTypeIt) {
  const auto parsed = [](const char* text) {
    IntegrationLength length;
    from_text("--integrate", text, length);
    return length;
  };
  EXPECT_EQ(parsed("4096").samples_at({}), 4096);
  EXPECT_EQ(parsed("all").samples_at({}), 0);
  EXPECT_EQ(parsed("0.25s").samples_at(1000), 250);
  EXPECT_EQ(to_text(parsed("0.25s")), "0.25s");
  EXPECT_EQ(to_text(parsed("17")), "17");
  EXPECT_EQ(to_text(IntegrationLength{}), "all");
  for (const char* text : {"0", "-3", "0s", "s", "", "nans", "3.5", "1e9", "12ms"})
    expect_error([&] { parsed(text); }, ErrorKind::usage, "write samples such as 4096");
  expect_error([&] { (void)parsed("1e-6s").samples_at(1000); }, ErrorKind::usage,
               "at least one sample");
}

}  // namespace
}  // namespace tessera
