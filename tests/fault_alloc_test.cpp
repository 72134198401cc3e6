// SPDX-License-Identifier: Apache-2.0
// Memory that runs out at any moment: one sentence and exit code 5, or success.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "core/machine.hpp"
#include "tests/support/faults.hpp"

namespace tessera::testing {
namespace {

const FileCommand kCommands[] = {
    {"convert_npy", ".npy", Type::u16, {60, 40}, {"convert", "IN", "OUT"}},
    {"convert_png", ".png", Type::u8, {60, 40, 3}, {"convert", "IN", "OUT"}, {"--range", "auto"}},
    {"convert_raw", ".raw", Type::f32, {60, 40}, {"convert", "IN", "OUT"}, {"--raw", "60x40:f32"}},
    {"convert_tiff",
     ".tif",
     Type::u16,
     {60, 40},
     {"convert", "IN", "OUT"},
     {"--compression", "deflate"}},
    {"convert_fits", ".fits", Type::f32, {60, 40}, {"convert", "IN", "OUT"}, {}, true},
    {"convert_jpeg", ".jpg", Type::u8, {60, 40, 3}, {"convert", "IN", "OUT"}},
    {"convolve_npy", ".npy", Type::f32, {90, 70}, {"convolve", "IN", "gauss:1", "OUT"}},
    {"convolve_png", ".png", Type::u8, {90, 70}, {"convolve", "IN", "box:3x3", "OUT"}},
    {"correlate_npy",
     ".npy",
     Type::f32,
     {60, 40},
     {"correlate", "IN", "-o", "OUT", "--max-shift", "20"},
     {},
     true},
    {"enhance_png", ".png", Type::u8, {90, 70, 3}, {"enhance", "IN", "OUT"}},
    {"sample_cells",
     ".npy",
     Type::u8,
     {60, 40},
     {"sample", "cells", "OUT", "--size", "100x80", "--frames", "3", "--cells", "2"}},
    {"cells_detect", ".npy", Type::u8, {64, 48}, {"cells", "detect", "IN", "-o", "OUT"}},
    {"info_png", ".png", Type::u8, {60, 40}, {"info", "IN"}},
    {"info_npy", ".npy", Type::u8, {60, 40}, {"info", "IN", "--json"}},
    {"faraday_synth",
     ".npy",
     Type::u8,
     {4, 4},
     {"faraday", "synth", "STEM_Q.npy", "STEM_U.npy", "STEM_freqs.txt", "-o", "OUT"},
     {"-l", "300", "-d", "20"},
     false,
     9,
     true,
     "",
     {{"sample", "polarised", "STEM.npy", "--size", "9x7", "--channels", "8", "--sources", "1"}}},
    {"faraday_clean",
     ".npy",
     Type::u8,
     {4, 4},
     {"faraday", "clean", "STEM_", "STEM_", "-c", "0.01", "--dphi", "20", "-o", "OUT"},
     {},
     false,
     7,
     true,
     "",
     {{"sample", "polarised", "STEM.npy", "--size", "9x7", "--channels", "8", "--sources", "1"},
      {"faraday", "synth", "STEM_Q.npy", "STEM_U.npy", "STEM_freqs.txt", "-l", "300", "-d", "20",
       "-o", "STEM_"}}},
    {"noise_npy",
     ".npy",
     Type::f32,
     {60, 40},
     {"noise", "IN", "-o", "OUT"},
     {"--box", "8"},
     false,
     3,
     true},
    {"xengine_npy",
     ".npy",
     Type::u8,
     {4, 4},
     {"xengine", "STEM_v.npy", "-o", "OUT.npy"},
     {},
     true,
     2,
     true,
     "",
     {{"sample", "voltages", "STEM_v.npy", "--antennas", "3", "--channels", "4", "--samples",
       "300"}}},
    {"xengine_uvfits",
     ".npy",
     Type::u8,
     {4, 4},
     {"xengine", "STEM_v.npy", "-o", "OUT.uvfits"},
     {},
     true,
     1,
     true,
     "",
     {{"sample", "voltages", "STEM_v.npy", "--antennas", "3", "--channels", "4", "--samples",
       "300"}}},
    {"sample_sky",
     ".npy",
     Type::u8,
     {4, 4},
     {"sample", "sky", "OUT.npy", "--size", "60x40", "--sources", "3"},
     {"--memory-limit", "30k"},
     false,
     4,
     true,
     "",
     {}},
    {"sample_voltages",
     ".npy",
     Type::u8,
     {4, 4},
     {"sample", "voltages", "OUT.npy", "--antennas", "3", "--channels", "4", "--samples", "300"},
     {},
     false,
     4,
     true,
     "",
     {}},
    {"cells_track",
     ".npy",
     Type::u8,
     {4, 4},
     {"cells", "track", "STEM_film.npy", "-o", "OUT", "--overlay", "no", "--report", "no"},
     {"--frame-rate", "30"},
     false,
     6,
     true,
     "/summary.json",
     {{"sample", "cells", "STEM_film.npy", "--size", "80x60", "--frames", "12", "--cells", "2"}}},
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
