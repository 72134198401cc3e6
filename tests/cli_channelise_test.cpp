// SPDX-License-Identifier: Apache-2.0
// The filter bank from the command line.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/temporary_folder.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {
namespace {

using Words = std::vector<std::string>;

class CliChannelise : public ::testing::Test {
 protected:
  Outcome sample(const std::string& name, const Words& more = {}) const {
    Words all{"sample",     "voltages", folder_.path(name), "--raw", "complex", "--antennas", "3",
              "--channels", "16",       "--samples",        "4000",  "--noise", "3"};
    all.insert(all.end(), more.begin(), more.end());
    return run_tool(all);
  }
  Outcome channelise(const std::string& in, const std::string& out, const Words& more = {}) const {
    Words all{"channelise", folder_.path(in), "-o", folder_.path(out), "--channels",
              "16",         "--json"};
    all.insert(all.end(), more.begin(), more.end());
    return run_tool(all);
  }
  TemporaryFolder folder_;
};

TEST_F(CliChannelise, MakesWhatXengineReads) {
  ASSERT_EQ(sample("a.npy").code, 0);
  const Outcome outcome = channelise("a.npy", "s.npy", {"--gain", "1.5"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto told = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(told["channels"], 16);
  EXPECT_EQ(told["spectra"], (4000 - 128) / 16 + 1);
  EXPECT_EQ(told["gains"], nlohmann::json({1.5}));
  EXPECT_EQ(told["frequency_first_hz"], 150e6);
  EXPECT_EQ(told["frequency_last_hz"], 151.5e6);
  EXPECT_EQ(told["missing"], 0);
  ASSERT_EQ(run_tool({"xengine", folder_.path("s.npy"), "-o", folder_.path("two.npy")}).code, 0);
  const Outcome fused = run_tool({"xengine", folder_.path("a.npy"), "-o", folder_.path("one.npy"),
                                  "--channelise", "16", "--gain", "1.5", "--json"});
  ASSERT_EQ(fused.code, 0) << fused.err;
  EXPECT_NE(nlohmann::json::parse(fused.out)["ran"].get<std::string>().find("gain 1.5"),
            std::string::npos);
  EXPECT_EQ(read_bytes(folder_.path("one.npy")), read_bytes(folder_.path("two.npy")));
  // The American spelling is the same command.
  EXPECT_EQ(run_tool({"channelize", folder_.path("a.npy"), "-o", folder_.path("z.npy"),
                      "--channels", "16", "--gain", "1.5"})
                .code,
            0);
  EXPECT_EQ(read_bytes(folder_.path("z.npy")), read_bytes(folder_.path("s.npy")));
}

TEST_F(CliChannelise, ARecordingThatBreaksOffGivesWhatItHas) {
  ASSERT_EQ(sample("a.dada").code, 0);
  std::string bytes = read_bytes(folder_.path("a.dada"));
  write_bytes(folder_.path("a.dada"), bytes.substr(0, 4096 + 1000 * 12 + 5));
  const Outcome cut = channelise("a.dada", "s.npy");
  EXPECT_EQ(cut.code, 4) << cut.err;
  const auto told = nlohmann::json::parse(cut.out);
  EXPECT_EQ(told["spectra"], (1000 - 128) / 16 + 1);
  EXPECT_EQ(told["truncated"], true);
}

TEST_F(CliChannelise, ATonePeaksInItsChannel) {
  ASSERT_EQ(sample("a.npy", {"--sources", "0", "--tone", "150.5e6", "--tone-level", "40", "--noise",
                             "0.01", "--rms", "1"})
                .code,
            0);
  const Outcome outcome = run_tool({"xengine", folder_.path("a.npy"), "-o", folder_.path("v.npy"),
                                    "--channelise", "16", "--channelise-type", "cf32"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string file = read_bytes(folder_.path("v.npy"));
  const std::size_t each = (file.size() - file.size() % 16 - 256) / 16;
  std::vector<double> powers;
  for (std::size_t c = 0; c < 16; ++c) {
    double power = 0;
    std::memcpy(&power, file.data() + (file.size() - 16 * each) + c * each, 8);
    powers.push_back(power);
  }
  EXPECT_EQ(std::ranges::max_element(powers) - powers.begin(), 5);
  EXPECT_NEAR(powers[5] / 243, 1600, 2);
  EXPECT_LT(powers[7], 1e-2 * powers[5]);
}

// Only what a filter bank can make is listed and taken.
TEST_F(CliChannelise, TypesOfSpectraAreThree) {
  const Outcome help = run_tool({"xengine", "--help"});
  EXPECT_NE(help.out.find("--channelise-type cf32|ci8|ci16"), std::string::npos) << help.out;
  ASSERT_EQ(sample("a.npy").code, 0);
  for (const char* type : {"ci4", "cf16", "i8"}) {
    const Outcome outcome = run_tool({"xengine", folder_.path("a.npy"), "-o", folder_.path("v.npy"),
                                      "--channelise", "16", "--channelise-type", type});
    EXPECT_EQ(outcome.code, 2) << type;
    EXPECT_NE(outcome.err.find("channelise-type"), std::string::npos) << outcome.err;
  }
}

TEST_F(CliChannelise, BadWordsAreOneSentence) {
  ASSERT_EQ(sample("a.npy").code, 0);
  const auto refused = [&](const Words& more, int code, const char* part) {
    const Outcome outcome = channelise("a.npy", "s.npy", more);
    EXPECT_EQ(outcome.code, code) << part;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder_.path("s.npy")));
  };
  refused({"--channels", "1"}, 2, "channels is 1");
  refused({"--oversample", "1/2"}, 2, "oversample");
  refused({"--oversample", "17/16"}, 2, "17/16");
  refused({"--window", "round"}, 2, "round");
  refused({"--output-type", "ci4"}, 2, "ci4");
  refused({"--gain", "none.txt"}, 3, "none.txt");
  refused({"--gain", "nan"}, 3, "nan");
  refused({"--gain", "-1e39"}, 2, "gain");
  refused({"--coefficients", folder_.path("a_antennas.txt")}, 3, "a_antennas.txt: line");
  refused({"--channels", "1048576"}, 3, "a spectrum is made from 8388608 samples");
  refused({"--skip", "5000"}, 2, "skip");
  refused({"--limit", "0"}, 2, "limit");
  refused({"--memory-limit", "1k"}, 5, "--memory-limit is 1.0 kB");
}

}  // namespace
}  // namespace tessera::testing
