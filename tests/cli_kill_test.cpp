// SPDX-License-Identifier: Apache-2.0
// The tool is killed at any moment: an output is the old file or the new one, and the next run
// leaves nothing behind.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
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

const FileCommand kCommands[] = {
    {.name = "convert_npy",
     .type = Type::u16,
     .size = {1500, 1000},
     .words = {"convert", "IN", "OUT"}},
    {.name = "convert_png",
     .ending = ".png",
     .size = {400, 300, 3},
     .words = {"convert", "IN", "OUT"}},
    {.name = "convert_raw",
     .ending = ".raw",
     .type = Type::f32,
     .size = {900, 800},
     .words = {"convert", "IN", "OUT"},
     .more = {"--raw", "900x800:f32"}},
    {.name = "convert_tiff",
     .ending = ".tif",
     .type = Type::u16,
     .size = {700, 600},
     .words = {"convert", "IN", "OUT"},
     .more = {"--compression", "deflate"}},
    {.name = "convert_fits",
     .ending = ".fits",
     .type = Type::f32,
     .size = {900, 800},
     .words = {"convert", "IN", "OUT"},
     .always_force = true},
    {.name = "convert_jpeg",
     .ending = ".jpg",
     .size = {900, 800, 3},
     .words = {"convert", "IN", "OUT"}},
    {.name = "convert_video",
     .ending = ".mkv",
     .size = {64, 48, 1, 20},
     .words = {"convert", "IN", "OUT"}},
    {.name = "convolve_npy",
     .type = Type::f32,
     .size = {1000, 800},
     .words = {"convolve", "IN", "box:3x3", "OUT"},
     .more = {"--memory-limit", "1M"}},
    {.name = "convolve_png",
     .ending = ".png",
     .size = {500, 400},
     .words = {"convolve", "IN", "box:3x3", "OUT"}},
    {.name = "correlate_npy",
     .type = Type::f32,
     .size = {300, 200},
     .words = {"correlate", "IN", "-o", "OUT", "--max-shift", "150"},
     .always_force = true},
    {.name = "enhance_npy",
     .size = {1500, 1000, 3},
     .words = {"enhance", "IN", "OUT"},
     .more = {"--memory-limit", "1M"}},
    {.name = "cells_detect",
     .size = {160, 120, 1, 12},
     .words = {"cells", "detect", "IN", "-o", "OUT"}},
    faraday_synth_command(kCube, {.spare = 1}),  // the map of flag patterns
    faraday_clean_command(kCube),
    noise_npy_command({700, 500}, "32"),
    xengine_npy_command(kVoltages, {.spare = 1}),
    xengine_uvfits_command(kVoltages),
    sample_sky_command("900x800"),
    sample_voltages_command(kVoltages),
    cells_track_command("200x150"),
};

int kills() { return run_all() ? 400 : run_small() ? 8 : 24; }

class CliKill : public ::testing::TestWithParam<FileCommand> {
 protected:
  void SetUp() override {
    if (!scene_.built()) GTEST_SKIP() << "not in this build";
    scene_.expected();
    for (int i = 0; i < 3; ++i) {
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
  // Over all commands, because a single one may be slower or faster now than when it was timed.
  static void TearDownTestSuite() {
    if (run_small() || untouched_ + temporaries_ + finished_ == 0) return;
    EXPECT_GT(untouched_, 0) << "no kill came before the output was begun";
    EXPECT_GT(temporaries_, 0) << "no kill came while the output was written";
    EXPECT_GT(finished_, 0) << "no kill came after the output was whole";
  }
  FileScene scene_{GetParam()};
  double seconds_ = 0;
  static inline int untouched_ = 0, temporaries_ = 0, finished_ = 0;
};

TEST_P(CliKill, LeavesTheOldFileOrTheNewOne) {
  std::mt19937 random(11);
  std::uniform_real_distribution<> part(0, 1.1);
  for (int k = 0; k < kills(); ++k) {
    const bool old = k % 2 == 0;
    const Outcome outcome = run_and(SIGKILL, old, part(random));
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
  std::mt19937 random(12);
  std::uniform_real_distribution<> part(0, 1.1);
  int ended = 0;
  for (int k = 0; k < kills() / 3; ++k) {
    const bool old = k % 2 == 0;
    const int signal = k % 3 == 0 ? SIGINT : k % 3 == 1 ? SIGTERM : SIGHUP;
    const Outcome outcome = run_and(signal, old, part(random));
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
