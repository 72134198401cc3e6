// SPDX-License-Identifier: Apache-2.0
// The tool is killed at any moment: an output is the old file or the new one, and the next run
// leaves no temporary files behind.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <random>
#include <thread>

#include "tests/support/file_commands.hpp"
#include "tests/support/file_scene.hpp"

namespace tessera::testing {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// Large enough that writing takes a good part of the time.
const PolarisedSize kCube{.size = "60x50", .channels = "24", .sources = "3"};
const VoltagesSize kVoltages{.antennas = "8", .channels = "32", .samples = "4000"};
const VoltagesSize kBand{.antennas = "6", .channels = "8", .samples = "200000"};

const FileCommand kCommands[] = {
    convert_command("npy", Type::u16, {1500, 1000}),
    convert_command("png", Type::u8, {400, 300, 3}),
    convert_command("raw", Type::f32, {900, 800}, {"--raw", "900x800:f32"}),
    convert_command("tif", Type::u16, {700, 600}, {"--compression", "deflate"}),
    convert_command("fits", Type::f32, {900, 800}),
    convert_command("jpg", Type::u8, {900, 800, 3}),
    convert_command("mkv", Type::u8, {64, 48, 1, 20}),
    convolve_command("npy", Type::f32, {1000, 800}, "box:3x3", {"--memory-limit", "1M"}),
    convolve_command("png", Type::u8, {500, 400}, "box:3x3"),
    edges_command({1000, 800}, {"--memory-limit", "1M"}),
    median_command({1000, 800}, {"--memory-limit", "1M"}),
    match_command({1000, 800}, {"--memory-limit", "8M"}),
    correlate_command({300, 200}, "150"),
    enhance_command("npy", {1500, 1000, 3}, {"--memory-limit", "1M"}),
    cells_detect_command({160, 120, 1, 12}),
    cells_preview_command({160, 120, 1, 12}),
    faraday_synth_command(kCube, {.spare = 1}),  // the map of flag patterns
    faraday_clean_command(kCube),
    faraday_fit_command(kCube),
    faraday_catalogue_command(kCube),
    beam_command("900x800"),
    sources_command("300x200"),
    noise_npy_command({700, 500}, "32"),
    xengine_npy_command(kVoltages, {.spare = 1}),
    xengine_uvfits_command(kVoltages),
    channelise_command(kBand),
    xengine_fused_command(kBand),
    sample_sky_command("900x800"),
    sample_voltages_command(kVoltages),
    cells_track_command("200x150"),
    cells_masks_command("200x150"),
    {.name = "white_tophat_npy",
     .size = {1500, 1000},
     .words = {"white-tophat", "IN", "box:31x31", "OUT"},
     .more = {"--memory-limit", "1M"}},
    {.name = "dilate_npy", .size = {1500, 1000}, .words = {"dilate", "IN", "box:31x31", "OUT"}},
    faraday_spectrum_command(),
    bench_report_command(),
};

// Spread evenly over the time that a run takes.
int kills() { return run_all() ? 100 : run_small() ? 8 : 9; }

class CliKill : public ::testing::TestWithParam<FileCommand> {
 protected:
  void SetUp() override {
    if (!scene_.built()) GTEST_SKIP() << "not in this build";
    scene_.expected();
    for (int i = 0; i < 2; ++i) {
      scene_.reset(true);
      const auto start = Clock::now();
      EXPECT_EQ(Process(scene_.arguments(true)).wait().code, 0);
      seconds_ = std::max(seconds_, Seconds(Clock::now() - start).count());
    }
  }
  /// Ends a run with a signal after a part of the time a whole one takes.
  Outcome run_and(int signal, bool old, double part) {
    scene_.reset(old);
    Process process(scene_.arguments(old));
    std::this_thread::sleep_for(Seconds(part * seconds_));
    ::kill(process.id(), signal);
    return process.wait();
  }
  /// A random moment of stretch k of the time; some come after the end.
  double part(int k, int stretches) {
    return 1.1 * (k + std::uniform_real_distribution<>(0, 1)(random_)) / stretches;
  }
  // Over all commands, because a single one may be slower or faster now than when it was timed.
  static void TearDownTestSuite() {
    if (run_small() || untouched_ + temporaries_ + finished_ == 0) return;
    EXPECT_GT(untouched_, 0) << "no kill came before the output was begun";
    EXPECT_GT(temporaries_, 0) << "no kill came while the output was written";
    EXPECT_GT(finished_, 0) << "no kill came after the output was whole";
  }
  FileScene scene_{GetParam()};
  std::mt19937 random_{11U + static_cast<unsigned>(line_of(GetParam(), kCommands))};
  double seconds_ = 0;
  static inline int untouched_ = 0, temporaries_ = 0, finished_ = 0;
};

TEST_P(CliKill, LeavesTheOldFileOrTheNewOne) {
  const int count = kills(), line = line_of(GetParam(), kCommands);
  for (int k = 0; k < count; ++k) {
    const bool old = (k + line) % 2 == 0;
    const Outcome outcome = run_and(SIGKILL, old, part(k, count));
    ASSERT_TRUE(outcome.code == 137 || outcome.code == 0) << outcome.code << outcome.err;
    const std::string state = scene_.output_state();
    // Between two of many names nothing helps: each is old or whole all the same.
    ASSERT_TRUE(state == (old ? "old" : "none") || state == "new" || state == "begun" ||
                (GetParam().many && state == "mixed"))
        << state;
    ASSERT_TRUE(outcome.code != 0 || state == "new") << state;
    const auto left = scene_.hidden().size();
    ASSERT_LE(left, static_cast<std::size_t>(GetParam().outputs + GetParam().spare));
    (left > 0 ? temporaries_ : state == "new" ? finished_ : untouched_)++;
    if (left == 0 && k % 8 != 0) continue;
    const Outcome next = Process(scene_.arguments(true)).wait();
    ASSERT_EQ(next.code, 0) << next.err;
    ASSERT_EQ(scene_.output_state(), "new");
    ASSERT_EQ(scene_.hidden(), Words{});
  }
}

TEST_P(CliKill, SignalsThatAskLeaveNoTemporary) {
  const int count = std::max(3, kills() / 3), line = line_of(GetParam(), kCommands);
  int ended = 0;
  // A run that was timed while others ran takes less time alone: more signals, each sooner, until
  // one ends a run.
  for (int k = 0; k < count || (ended == 0 && k < count + 8); ++k) {
    const bool old = (k + line) % 2 == 0;
    const int signal = std::array{SIGINT, SIGTERM, SIGHUP}[static_cast<std::size_t>(k + line) % 3];
    const Outcome outcome = run_and(
        signal, old, k < count ? part(k, count) : std::ldexp(part(0, count), count - k - 1));
    ASSERT_TRUE(outcome.code == 128 + signal || outcome.code == 0) << outcome.code << outcome.err;
    ASSERT_EQ(scene_.hidden(), Words{});
    const std::string state = scene_.output_state();
    ASSERT_TRUE(state == (old ? "old" : "none") || state == "new" || state == "begun") << state;
    ASSERT_EQ(outcome.err, "");
    ended += outcome.code != 0;
  }
  EXPECT_GT(ended, 0);
}

INSTANTIATE_TEST_SUITE_P(Commands, CliKill, ::testing::ValuesIn(kCommands),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tessera::testing
