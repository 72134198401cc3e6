// SPDX-License-Identifier: Apache-2.0
// Measurement Sets from the command line: old or whole, and what is refused. Their contents are
// judged by python/tests/test_measurement_sets.py and tests/judges.
#include <gtest/gtest.h>
#include <signal.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <thread>

#include "tests/support/files.hpp"
#include "tests/support/sweep.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

class CliMs : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(fs::path(TESSERA_CLI).parent_path() / "libtessera_casacore.so"))
      GTEST_SKIP() << "casacore is missing";
    const Outcome outcome = run_tool({"sample", "voltages", folder_.path("in.raw"), "--antennas",
                                      "8", "--channels", "16", "--samples", "2000", "--quiet"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  Words words(const Words& more = {}) const {
    Words all{"xengine", folder_.path("in.raw"),          "-o",          out(),
              "--array", folder_.path("in_antennas.txt"), "--integrate", "100",
              "--quiet"};
    const bool centre = std::ranges::count(more, "--phase-centre") > 0;
    if (!centre) all.insert(all.end(), {"--phase-centre", "zenith"});
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::string out() const { return folder_.path("v.ms"); }
  Words hidden() const {
    Words found;
    for (const auto& one : fs::directory_iterator(folder_.path()))
      if (one.path().filename().string().starts_with(".")) found.push_back(one.path().filename());
    return found;
  }
  /// An old set that is told from new ones.
  void make_old() const {
    fs::remove_all(out());
    ASSERT_EQ(run_tool(words()).code, 0);
    write_bytes(out() + "/table.mark", "old");
  }
  /// "old" or "new", of a whole one.
  std::string state() const {
    if (!fs::exists(out())) return "none";
    for (const char* part : {"table.dat", "table.info", "ANTENNA/table.dat", "STATE/table.dat"})
      if (!fs::exists(out() + "/" + part)) return std::string("without ") + part;
    return fs::exists(out() + "/table.mark") ? "old" : "new";
  }
  TemporaryFolder folder_;
};

TEST_F(CliMs, AreMadeAndReplacedByForce) {
  const Outcome made = run_tool(words());
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(state(), "new");
  write_bytes(out() + "/table.mark", "old");
  expect_failure(words(), 2, "v.ms exists; give the option");
  EXPECT_EQ(state(), "old");
  const Outcome again = run_tool(words({"--force"}));
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(state(), "new");
  EXPECT_EQ(hidden(), Words{});
}

TEST_F(CliMs, WhatIsWrongIsOneSentence) {
  const struct {
    Words more;
    int code;
    std::string part;
  } cases[] = {
      {{"--output-type", "f64"}, 2, "holds numbers of 32 bits; leave out --output-type f64"},
      {{"--output-type", "i64"}, 2, "holds means, not integers; leave out --output-type i64, or"},
      {{"--order", "full"}, 2, "one row per baseline; leave out --order full"},
      {{"--phase-centre", "auto"}, 2, "a Measurement Set needs a phase centre"},
      {{"--phase-centre", "400,2"}, 2, "400"},
      {{"--average", "3"}, 2, "it must divide them"},
  };
  for (const auto& one : cases) {
    expect_failure(words(one.more), one.code, one.part);
    EXPECT_EQ(state(), "none") << one.part;
  }
  expect_failure({"xengine", folder_.path("in.raw"), "-o", folder_.path("none/v.ms"), "--array",
                  folder_.path("in_antennas.txt"), "--phase-centre", "zenith"},
                 2, "there is no folder");
  expect_failure({"info", folder_.path("in.raw") + "/v.ms"}, 3, "");
  EXPECT_EQ(hidden(), Words{});
}

TEST_F(CliMs, InputsInAReplacedFolderAreKept) {
  make_old();
  fs::copy_file(folder_.path("in.raw"), out() + "/in.raw");
  expect_failure({"xengine", out() + "/in.raw", "-o", out(), "--array",
                  folder_.path("in_antennas.txt"), "--phase-centre", "zenith", "--force"},
                 2, "is in this folder; give another output");
  EXPECT_TRUE(fs::exists(out() + "/in.raw"));
  fs::remove(out() + "/in.raw");
  const Words run{"xengine",
                  folder_.path("in.raw"),
                  "-o",
                  out(),
                  "--array",
                  folder_.path("in_antennas.txt"),
                  "--phase-centre",
                  "zenith",
                  "--force"};
  Words drawn = run;
  drawn.insert(drawn.end(), {"--picture", out() + "/p.svg"});
  expect_failure(drawn, 2, "the picture " + out() + "/p.svg is in this folder");
  fs::copy_file(folder_.path("in_antennas.txt"), out() + "/own.txt");
  expect_failure(run, 2, "it holds own.txt, which is not of a Measurement Set");
  EXPECT_TRUE(fs::exists(out() + "/own.txt"));
}

TEST_F(CliMs, InfoSaysThatItIsAFolder) {
  make_old();
  expect_failure({"info", out()}, 3, "it is a Measurement Set, a folder");
}

TEST_F(CliMs, WithoutTheLibraryTheToolNamesThePackage) {
  for (const char* place : {"/usr/lib/tessera", "/usr/local/lib/tessera"})
    if (fs::exists(std::string(place) + "/libtessera_casacore.so")) GTEST_SKIP() << place;
  const std::string alone = folder_.path("bin/tessera");
  fs::create_directory(folder_.path("bin"));
  fs::copy_file(TESSERA_CLI, alone);
  Words all = words();
  all.insert(all.begin(), alone);
  const Outcome outcome = Process(all).wait();
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("install the package tessera-casacore"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(state(), "none");
}

// A library that is none, or of another version, is told in one sentence too.
TEST_F(CliMs, AnotherLibraryIsRefused) {
  fs::create_directory(folder_.path("plugins"));
  write_bytes(folder_.path("plugins/libtessera_casacore.so"), "no library");
  Words all{"env", "TESSERA_PLUGINS=" + folder_.path("plugins"), TESSERA_CLI};
  const Words rest = words();
  all.insert(all.end(), rest.begin(), rest.end());
  const Outcome outcome = Process(all).wait();
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("cannot be opened"), std::string::npos) << outcome.err;
}

TEST_F(CliMs, PartsJoinToOne) {
  for (const char* part : {"1/2", "2/2"}) {
    const Outcome outcome = run_tool(words({"--part", part}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(state(), "none");
  }
  const Outcome joined = run_tool({"join", out(), "--quiet"});
  ASSERT_EQ(joined.code, 0) << joined.err;
  EXPECT_EQ(state(), "new");
}

// Killed at any moment: the old set or the new one, and the next run removes what is left.
TEST_F(CliMs, AreOldOrWholeWhenTheToolIsKilled) {
  make_old();
  const auto start = Clock::now();
  ASSERT_EQ(run_tool(words({"--force"})).code, 0);
  const double seconds = Seconds(Clock::now() - start).count();
  const int count = run_all() ? 60 : 8;
  constexpr std::array kSignals{SIGKILL, SIGINT, SIGKILL, SIGTERM};
  for (int k = 0; k < count; ++k) {
    const int signal = kSignals[static_cast<std::size_t>(k) % kSignals.size()];
    make_old();
    Words all = words({"--force"});
    all.insert(all.begin(), TESSERA_CLI);
    Process process(all);
    std::this_thread::sleep_for(Seconds(1.1 * (k + 0.5) / count * seconds));
    ::kill(process.id(), signal);
    const Outcome outcome = process.wait();
    ASSERT_TRUE(outcome.code == 0 || outcome.code == 128 + signal) << outcome.code << outcome.err;
    ASSERT_TRUE(state() == "new" || (outcome.code != 0 && state() == "old")) << state();
    if (signal != SIGKILL) {
      ASSERT_EQ(hidden(), Words{});
    }
    if (hidden().empty()) continue;
    // The process that writes ends by itself when the tool is gone.
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    ASSERT_EQ(run_tool(words({"--force"})).code, 0);
    ASSERT_EQ(hidden(), Words{});
  }
}

}  // namespace
}  // namespace tessera::testing
