// SPDX-License-Identifier: Apache-2.0
// Commands that measure are killed at any moment: their outputs differ from run to run, but each is
// there whole or not at all, and the next run makes all of them.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/process.hpp"
#include "tests/support/text_has.hpp"

namespace tessera::testing {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;
using Words = std::vector<std::string>;

struct Measure {
  std::string name;
  Words words;           ///< run in a folder of their own
  Words outputs;         ///< that a whole run makes
  double most_seconds;   ///< kills come within this time
  bool finishes = true;  ///< in this time
  Words before = {};     ///< makes the input
  friend void PrintTo(const Measure& measure, std::ostream* out) { *out << measure.name; }
};

const Measure kMeasures[] = {
    {"demo",
     {"demo", "--quick", "--only", "noise", "--force", "-o", "demo"},
     {"demo/index.html", "demo/demo.json", "demo/noise/out_rms.fits"},
     5},
    {"tune",
     {"tune", "--backend", "cpu", "--sizes", "3", "--budget", "1", "--output", "table.tsv"},
     {"table.tsv"},
     5},
    {"study", {"study", "convolve", "--backend", "cpu", "--sizes", "3", "--side", "64"}, {}, 5},
    {"bench", {"bench", "--report", "page.html", "--quick", "--force"}, {"page.html"}, 1, false},
    {"cells_watch",
     {"cells", "watch", "film.raw", "-o", "out", "--raw", "120x90:u8", "--idle", "0.3",
      "--page-every", "0.1", "--force"},
     {"out/tracks.csv", "out/summary.json", "out/live.html"},
     5,
     true,
     {"sample", "cells", "film.raw", "--size", "120x90", "--frames", "60", "--cells", "2"}},
};

/// The last bytes tell whether a file was written to its end.
bool is_whole(const std::string& path) {
  const std::string text = read_bytes(path);
  if (path.ends_with(".html")) return text.ends_with("</html>\n");
  if (path.ends_with(".json")) return nlohmann::json::accept(text);
  if (path.ends_with(".tsv") || path.ends_with(".csv")) return text.ends_with("\n");
  if (path.ends_with(".fits")) return !text.empty() && text.size() % 2880 == 0;
  if (path.ends_with(".jpg")) return text.ends_with("\xff\xd9");
  return !text.empty();
}

class CliKillMeasures : public ::testing::TestWithParam<Measure> {
 protected:
  void SetUp() override {
    if (!GetParam().before.empty()) {
      const Outcome made = Process(command(GetParam().before)).wait();
      ASSERT_EQ(made.code, 0) << made.err;
    }
    const auto start = Clock::now();
    if (!GetParam().finishes) return;
    const Outcome outcome = Process(command()).wait();
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    seconds_ = std::min(seconds_, Seconds(Clock::now() - start).count());
    expect_all_made();
  }
  Words command() const { return command(GetParam().words); }
  Words command(const Words& more) const {
    Words words{"env", "-C", folder_.path(), "TESSERA_CACHE=" + folder_.path("cache"), TESSERA_CLI};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  Outcome run_and(int signal, int k, int count) {
    Process process(command());
    const double part = 1.1 * (k + std::uniform_real_distribution<>(0, 1)(random_)) / count;
    std::this_thread::sleep_for(Seconds(part * seconds_));
    ::kill(process.id(), signal);
    return process.wait();
  }
  /// Every file that has its name is whole; the temporaries of a kill have other names.
  void expect_whole_files(bool temporaries) const {
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
      const std::string name = entry.path().filename();
      const bool hidden = name.starts_with('.') || name.find(".tessera") != std::string::npos;
      EXPECT_TRUE(temporaries || !hidden) << entry.path();
      EXPECT_TRUE(hidden || !entry.is_regular_file() || is_whole(entry.path())) << entry.path();
    }
  }
  void expect_all_made() const {
    for (const std::string& name : GetParam().outputs)
      EXPECT_TRUE(fs::exists(folder_.path(name))) << name;
    expect_whole_files(false);
  }
  TemporaryFolder folder_;
  std::mt19937 random_{3};
  double seconds_ = GetParam().most_seconds;
};

int kills_of_measures() { return run_all() ? 40 : 4; }

TEST_P(CliKillMeasures, LeavesWholeFiles) {
  const int count = kills_of_measures();
  for (int k = 0; k < count; ++k) {
    const Outcome outcome = run_and(SIGKILL, k, count);
    ASSERT_TRUE(outcome.code == 137 || outcome.code == 0) << outcome.code << outcome.err;
    expect_whole_files(true);
  }
  if (!GetParam().finishes) return;
  ASSERT_EQ(Process(command()).wait().code, 0);
  expect_all_made();
}

TEST_P(CliKillMeasures, SignalsThatAskLeaveNoTemporary) {
  const int count = kills_of_measures();
  for (int k = 0; k < count; ++k) {
    const int signal = std::array{SIGINT, SIGTERM, SIGHUP}[static_cast<std::size_t>(k) % 3];
    const Outcome outcome = run_and(signal, k, count);
    ASSERT_TRUE(outcome.code == 128 + signal || outcome.code == 0) << outcome.code << outcome.err;
    EXPECT_EQ(outcome.err, "");
    expect_whole_files(false);
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, CliKillMeasures, ::testing::ValuesIn(kMeasures),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tessera::testing
