// SPDX-License-Identifier: Apache-2.0
// Memory that runs out at any moment: one sentence and exit code 5, or success.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "core/machine.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/file_commands.hpp"

namespace tessera::testing {
namespace {

const PolarisedSize kCube{.size = "9x7", .channels = "8", .sources = "1"};
const VoltagesSize kVoltages{.antennas = "3", .channels = "4", .samples = "300"};

const FileCommand kCommands[] = {
    {.name = "convert_npy", .type = Type::u16, .size = {60, 40}, .words = {"convert", "IN", "OUT"}},
    {.name = "convert_png",
     .ending = ".png",
     .size = {60, 40, 3},
     .words = {"convert", "IN", "OUT"},
     .more = {"--range", "auto"}},
    {.name = "convert_raw",
     .ending = ".raw",
     .type = Type::f32,
     .size = {60, 40},
     .words = {"convert", "IN", "OUT"},
     .more = {"--raw", "60x40:f32"}},
    {.name = "convert_tiff",
     .ending = ".tif",
     .type = Type::u16,
     .size = {60, 40},
     .words = {"convert", "IN", "OUT"},
     .more = {"--compression", "deflate"}},
    {.name = "convert_fits",
     .ending = ".fits",
     .type = Type::f32,
     .size = {60, 40},
     .words = {"convert", "IN", "OUT"},
     .always_force = true},
    {.name = "convert_jpeg",
     .ending = ".jpg",
     .size = {60, 40, 3},
     .words = {"convert", "IN", "OUT"}},
    {.name = "convolve_npy",
     .type = Type::f32,
     .size = {90, 70},
     .words = {"convolve", "IN", "gauss:1", "OUT"}},
    {.name = "convolve_png",
     .ending = ".png",
     .size = {90, 70},
     .words = {"convolve", "IN", "box:3x3", "OUT"}},
    {.name = "correlate_npy",
     .type = Type::f32,
     .size = {60, 40},
     .words = {"correlate", "IN", "-o", "OUT", "--max-shift", "20"},
     .always_force = true},
    {.name = "enhance_png",
     .ending = ".png",
     .size = {90, 70, 3},
     .words = {"enhance", "IN", "OUT"}},
    {.name = "sample_cells",
     .size = {60, 40},
     .words = {"sample", "cells", "OUT", "--size", "100x80", "--frames", "3", "--cells", "2"}},
    {.name = "cells_detect", .size = {64, 48}, .words = {"cells", "detect", "IN", "-o", "OUT"}},
    {.name = "info_png", .ending = ".png", .size = {60, 40}, .words = {"info", "IN"}},
    {.name = "info_npy", .size = {60, 40}, .words = {"info", "IN", "--json"}},
    faraday_synth_command(kCube),
    faraday_clean_command(kCube),
    noise_npy_command({60, 40}, "8"),
    xengine_npy_command(kVoltages),
    xengine_uvfits_command(kVoltages),
    sample_sky_command("60x40", {"--sources", "3", "--memory-limit", "30k"}),
    sample_voltages_command(kVoltages),
    cells_track_command("80x60"),
};

class AllocationFaults : public ::testing::TestWithParam<FileCommand> {
 protected:
  void SetUp() override {
    if (!scene_.built()) GTEST_SKIP() << "not in this build";
    // The plan asks for devices, and NVIDIA's driver ends the process where memory is lacking.
    const std::string& command = GetParam().words[0];
    const bool plans = command == "convolve" || command == "correlate" || command == "enhance" ||
                       command == "cells" || command == "faraday" || command == "xengine" ||
                       command == "noise";
    if (plans && !this_machine().devices.empty())
      GTEST_SKIP() << "with a GPU driver, which does not survive it";
  }
  Outcome run(const std::string& fault, bool old) {
    scene_.expected();
    scene_.reset(old);
    return run_with_faults("alloc_fault", {"TESSERA_FAULT_ALLOC=" + fault, "TESSERA_BACKEND=cpu"},
                           scene_.arguments(old));
  }
  void expect_sound(const std::string& fault, bool old) {
    const Outcome outcome = run(fault, old);
    EXPECT_TRUE(outcome.code == 0 || outcome.code == 5)
        << fault << ": exit code " << outcome.code << ": " << outcome.err;
    scene_.expect_sound(outcome, old, fault);
  }
  long long count() {
    scene_.expected();
    scene_.reset(false);
    const std::string report = scene_.folder() + "-count";
    const Outcome outcome =
        run_with_faults("alloc_fault", {"TESSERA_FAULT_REPORT=" + report}, scene_.arguments(false));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::istringstream text(read_bytes(report));
    std::filesystem::remove(report);
    std::string word;
    long long number = 0;
    text >> word >> number;
    return number;
  }
  FileScene scene_{GetParam()};
};

// Most allocations build the tree of commands, all alike; the job's come last.
std::set<long long> chosen(long long all) {
  std::set<long long> numbers;
  if (run_all()) {
    for (long long k = 1; k <= all; ++k) numbers.insert(k);
    return numbers;
  }
  std::mt19937 random(7);
  for (int i = 0; i < 10; ++i) numbers.insert(1 + random() % all);
  for (int i = 0; i < 45; ++i) numbers.insert(all - random() % (all / 10));
  return numbers;
}

TEST_P(AllocationFaults, AnySingleOne) {
  const long long all = count();
  ASSERT_GT(all, 500);
  bool old = false;
  for (const long long k : chosen(all)) expect_sound("once:" + std::to_string(k), old = !old);
}

TEST_P(AllocationFaults, AllFromOneOn) {
  const long long all = count();
  bool old = false;
  int step = 0;
  for (const long long k : chosen(all))
    if (run_all() || step++ % 4 == 0) expect_sound("from:" + std::to_string(k), old = !old);
}

TEST_P(AllocationFaults, OneInSixteen) {
  const long long all = count();
  for (int seed = 0; seed < (run_all() ? 200 : 12); ++seed) {
    const long long first = seed % 4 == 0 ? 1 : all * (90 + seed % 10) / 100;
    expect_sound("each:16:" + std::to_string(seed) + ":" + std::to_string(first), seed % 2 == 0);
  }
}

TEST_P(AllocationFaults, TheTestCanFail) {
  EXPECT_EQ(run("from:1", false).code, 5);
  EXPECT_EQ(run("once:0", false).code, 0);
}

INSTANTIATE_TEST_SUITE_P(Commands, AllocationFaults, ::testing::ValuesIn(kCommands),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tessera::testing
