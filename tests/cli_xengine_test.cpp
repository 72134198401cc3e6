// SPDX-License-Identifier: Apache-2.0
// The X-engine from the command line.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "tests/support/temporary_folder.hpp"
#include "tests/support/tool.hpp"
#include "tests/support/voltage_memory.hpp"

namespace tessera::testing {
namespace {

using Words = std::vector<std::string>;

class CliXEngine : public ::testing::Test {
 protected:
  void SetUp() override {
    write_recording("in.raw", bytes());
    write_bytes(folder_.path("in.raw.json"),
                R"({"antennas": 3, "polarisations": 2, "channels": 4, "samples": "ci8",
                    "layout": "tci", "length": 100, "sample_rate": 1000.0, "start": 60000.5,
                    "frequency": {"first": 1.4e9, "step": 1e6}})");
  }
  std::string bytes() const { return {reinterpret_cast<const char*>(data_.data()), data_.size()}; }
  void write_recording(const std::string& name, const std::string& samples) const {
    write_bytes(folder_.path(name), samples);
  }
  Words words(const std::string& output, Words more = {}) const {
    Words all{"xengine", folder_.path("in.raw"), "-o", folder_.path(output)};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  /// The files next to the recording.
  long long made() const {
    long long count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      count += !entry.path().filename().string().starts_with("in.");
    return count;
  }

  TemporaryFolder folder_;
  XEngineShape shape_{3, 2, 4};
  std::vector<signed char> data_ = noise_voltages(shape_, 100);
};

TEST_F(CliXEngine, GivesTheDefinition) {
  const Outcome outcome = run_tool(
      words("v.raw", {"--integrate", "0.04s", "--average", "2", "--block", "9", "--json"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["samples"], 100);
  EXPECT_EQ(json["integrations"], 3);
  EXPECT_EQ(json["channels"], 2);
  EXPECT_EQ(json["truncated"], false);
  EXPECT_GT(json["gigabits_per_second"].get<double>(), 0);
  const std::string bytes = read_bytes(folder_.path("v.raw"));
  ASSERT_EQ(bytes.size(), 3U * 2 * 6 * 4 * 16);
  std::vector<long long> values(bytes.size() / 8);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  std::size_t at = 0;
  for (int t = 0; t < 100; t += 40)
    for (int c = 0; c < 4; c += 2)
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b <= a; ++b)
          for (int p = 0; p < 4; ++p, at += 2) {
            std::complex<double> wanted;
            for (const int k : {0, 1})
              wanted += expected_visibility(data_, shape_, c + k, 2 * a + p / 2, 2 * b + p % 2, t,
                                            std::min(t + 40, 100));
            ASSERT_EQ(static_cast<double>(values[at]), wanted.real());
            ASSERT_EQ(static_cast<double>(values[at + 1]), wanted.imag());
          }
  const auto told = nlohmann::json::parse(read_bytes(folder_.path("v.json")));
  EXPECT_NE(told["command"].get<std::string>().find("--integrate 0.04s"), std::string::npos);
}

/// GUPPI RAW: 4 blocks of 64 samples, of 2 polarisations and 4 channels, each far after the last.
std::string guppi_with_gaps(long long packets) {
  std::string bytes;
  for (int block = 0; block < 4; ++block) {
    for (const auto& [key, value] : {std::pair<const char*, long long>{"BLOCSIZE", 1024},
                                     {"OBSNCHAN", 4},
                                     {"NPOL", 4},
                                     {"NBITS", 8},
                                     {"PKTSIZE", 64},
                                     {"PKTIDX", block * packets}})
      bytes += fmt::format("{:<8}= {:>20}{:50}", key, value, "");
    bytes += fmt::format("{:<80}", "END") + std::string(1024, static_cast<char>(1 + block));
  }
  return bytes;
}

// A few kB whose headers ask for a thousand million samples.
TEST_F(CliXEngine, GapsTakeNoTimeAndAreLimited) {
  const std::string file = folder_.path("in.gaps");
  write_bytes(file, guppi_with_gaps(62500016));
  const auto run = [&](const Words& more) {
    Words words{"timeout", "60",    TESSERA_CLI, "xengine", file, "-o", folder_.path("v.npy"),
                "--force", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return Process(words).wait();
  };
  const Outcome cut = run({});
  EXPECT_EQ(cut.code, 4) << cut.err;
  EXPECT_NE(cut.err.find("in.gaps: with 250000000 before its next block"), std::string::npos)
      << cut.err;
  EXPECT_EQ(nlohmann::json::parse(cut.out)["samples"], 64);
  const Outcome whole = run({"--max-gap", "1e7"});
  EXPECT_EQ(whole.code, 0) << whole.err;
  EXPECT_EQ(nlohmann::json::parse(whole.out)["samples"], 4 * 64 + 3 * 250000000LL);
  const std::string sums = read_bytes(folder_.path("v.npy"));
  // The same blocks without gaps have the same sums, in integrations of any length.
  const Outcome parts = run({"--max-gap", "1e7", "--integrate", "100000064"});
  EXPECT_EQ(parts.code, 0) << parts.err;
  EXPECT_EQ(nlohmann::json::parse(parts.out)["integrations"], 8);
  write_bytes(file, guppi_with_gaps(16));
  EXPECT_EQ(run({}).code, 0);
  EXPECT_EQ(read_bytes(folder_.path("v.npy")), sums);
}

TEST_F(CliXEngine, SaysWhatRan) {
  write_bytes(folder_.path("in.array"),
              "a -2559454 5095372 -2849057\nb -2559404 5095372 -2849057\n"
              "c -2559454 5095372 -2849007\n");
  const Words stamped{"--array", folder_.path("in.array"), "--tracked",
                      "yes",     "--phase-centre",         "83.63,22.01"};
  const Outcome outcome = run_tool(words("v.uvfits", stamped));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("xengine 3x2 inputs, 4 channels, ci8: "), std::string::npos);
  EXPECT_NE(outcome.out.find("Gbit/s"), std::string::npos);
  EXPECT_NE(outcome.out.find("1 integration, 4 channels, means"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("phase centre 83.63, 22.01 (ICRS), as recorded"), std::string::npos)
      << outcome.out;
}

// UVFITS cannot say that something is not known: it is refused, not made up.
TEST_F(CliXEngine, PositionsAndPhaseCentresAreNeverMadeUp) {
  expect_failure(words("v.uvfits"), 2, "UVFITS needs the positions of the antennas");
  write_bytes(folder_.path("in.array"), "a 0 0 0\nb 10 0 0\nc 0 10 0\n");
  const auto with = [&](Words more) {
    more.insert(more.begin(), {"--array", folder_.path("in.array")});
    return words("v.uvfits", more);
  };
  expect_failure(with({"--tracked", "yes", "--phase-centre", "1,2"}), 2,
                 "antenna a is 0 km from the Earth's centre");
  write_bytes(folder_.path("in.array"),
              "a -2559454 5095372 -2849057\nb -2559404 5095372 -2849057\n"
              "c -2559454 5095372 -2849007\n");
  expect_failure(with({}), 2, "the recording does not say that it tracks its source");
  expect_failure(with({"--tracked", "yes"}), 2, "tracks a place, but does not say which");
  expect_failure(with({"--phase-centre", "1,2,then"}), 2, "83.98,22.03,date");
  expect_failure(with({"--tracked", "yes", "--phase-centre", "1,2", "--output-type", "i32"}), 2,
                 "UVFITS holds means, not integers");
  EXPECT_EQ(made(), 0);
  const Outcome turned = run_tool(with({"--phase-centre", "1,2", "--json"}));
  ASSERT_EQ(turned.code, 0) << turned.err;
  const auto json = nlohmann::json::parse(turned.out);
  EXPECT_EQ(json["phase_centre"], "1, 2 (ICRS), turned here");
  EXPECT_EQ(json["values"], "means");
  EXPECT_NE(json["ran"].get<std::string>().find("delays removed on the host"), std::string::npos);
}

TEST_F(CliXEngine, TruncatedRecordingsKeepWhatWasWhole) {
  write_recording("in.raw", bytes().substr(0, 48 * 60 + 17));
  const Outcome outcome = run_tool(words("v.npy", {"--json"}));
  EXPECT_EQ(outcome.code, 4);
  EXPECT_NE(outcome.err.find("warning: "), std::string::npos) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["samples"], 60);
  EXPECT_EQ(json["truncated"], true);
  EXPECT_TRUE(std::filesystem::exists(folder_.path("v.npy")));
}

TEST_F(CliXEngine, WhatIsWrongIsOneSentence) {
  write_bytes(folder_.path("in.two"), "a 1 2 3\nb 4 5 6\n");
  const struct {
    Words more;
    int code;
    std::string part;
  } cases[] = {
      {{"--integrate", "0"}, 2, "--integrate: '0' is not the length of an integration"},
      {{"--average", "3"}, 2, "average is 3 and there are 4 channels; it must divide them"},
      {{"--array", folder_.path("in.two")}, 2, "has 2 antennas, but the recording 3"},
      {{"--array", folder_.path("none")}, 3, "none"},
      {{"--order", "register-tile"}, 2, "give an even number of antennas"},
      {{"--method", "fast"}, 2, "fast"},
      {{"--skip", "100"}, 2, "there are 100 samples, and skip is 100"},
      {{"--limit", "0"}, 2, "limit is 0; it can be 1 or more samples"},
      {{"--format", "guppi"}, 3, "in.raw"},
  };
  for (const auto& one : cases) {
    expect_failure(words("v.npy", one.more), one.code, one.part);
    EXPECT_EQ(made(), 0) << one.part;
  }
  expect_failure(words("v.uvfits", {"--order", "register-tile"}), 2,
                 "leave out --order register-tile, or write .npy");
  expect_failure(words("v.png"), 2, "it must end in .npy, .raw, .bin, .uvfits, .uvf or .ms");
  expect_failure({"xengine", folder_.path("in.none"), "-o", folder_.path("v.npy")}, 3, "in.none");
  EXPECT_EQ(made(), 0);
}

TEST_F(CliXEngine, DescriptionsThatLieAreRefused) {
  write_bytes(folder_.path("in.raw.json"),
              R"({"antennas": 300000, "polarisations": 2, "channels": 400000, "layout": "tci"})");
  expect_failure(words("v.npy"), 3, "in.raw");
  EXPECT_EQ(made(), 0);
}

TEST_F(CliXEngine, OutputsAreOldOrWhole) {
  write_bytes(folder_.path("v.npy"), "old");
  expect_failure(words("v.npy"), 2, "v.npy");
  EXPECT_EQ(read_bytes(folder_.path("v.npy")), "old");
  ASSERT_EQ(run_tool(words("v.npy", {"--force"})).code, 0);
  EXPECT_NE(read_bytes(folder_.path("v.npy")), "old");
}

TEST_F(CliXEngine, WhatIsReadIsNotReplaced) {
  expect_failure(words("in.raw", {"--force"}), 2, "is an input and would be replaced");
  EXPECT_EQ(read_bytes(folder_.path("in.raw")), bytes());
  const std::string told = read_bytes(folder_.path("in.raw.json"));
  write_bytes(folder_.path("in.json"), told);
  expect_failure(words("in.npy", {"--force", "--description", folder_.path("in.json")}), 2,
                 "is an input and would be replaced");
  EXPECT_EQ(read_bytes(folder_.path("in.json")), told);
}

}  // namespace
}  // namespace tessera::testing
