// SPDX-License-Identifier: Apache-2.0
// Memory that runs out at any moment: one sentence and exit code 5, or success.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "tests/support/faults.hpp"
#include "tests/support/file_commands.hpp"

namespace tessera::testing {
namespace {

std::vector<FileCommand> commands_that_allocate() {
  std::vector<FileCommand> commands = small_commands();
  const FileCommand more[] = {
      {.name = "convert_range",
       .ending = ".png",
       .size = {60, 40, 3},
       .words = {"convert", "IN", "OUT", "--range", "auto"}},
      convolve_command("png", Type::u8, {90, 70}, "box:3x3"),
      enhance_command("png", {90, 70, 3}),
      {.name = "sample_cells",
       .size = {60, 40},
       .words = {"sample", "cells", "OUT", "--size", "100x80", "--frames", "3", "--cells", "2"}},
      {.name = "info_png", .ending = ".png", .size = {60, 40}, .words = {"info", "IN"}},
      {.name = "info_npy", .size = {60, 40}, .words = {"info", "IN", "--json"}},
  };
  commands.insert(commands.end(), std::begin(more), std::end(more));
  return commands;
}

class AllocationFaults : public FileFaults {
 protected:
  Outcome run(const std::string& fault, bool old) {
    return run_with("alloc_fault", {"TESSERA_FAULT_ALLOC=" + fault, "TESSERA_BACKEND=" + backend_},
                    old);
  }
  void expect_sound(const std::string& fault, bool old) {
    const Outcome outcome = run(fault, old);
    EXPECT_TRUE(outcome.code == 0 || outcome.code == 5)
        << fault << ": exit code " << outcome.code << ": " << outcome.err;
    scene_.expect_sound(outcome, old, fault);
  }
  long long count() {
    std::istringstream text(
        report([&](const std::string& to) { return run_with("alloc_fault", {to}, false); }));
    std::string word;
    long long number = 0;
    text >> word >> number;
    return number;
  }
  std::string backend_ = "cpu";
};

// Most allocations build the tree of commands, all alike; the job's come last.
std::set<long long> chosen(long long all) {
  std::set<long long> numbers;
  const int times = run_all() ? 20 : 1;
  std::mt19937 random(7);
  for (int i = 0; i < 3 * times; ++i) numbers.insert(1 + random() % all);
  for (int i = 0; i < 11 * times; ++i) numbers.insert(all - random() % (all / 10));
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
  for (int seed = 0; seed < (run_all() ? 200 : 4); ++seed) {
    const long long first = seed % 4 == 0 ? 1 : all * (90 + 3 * seed % 10) / 100;
    expect_sound("each:16:" + std::to_string(seed) + ":" + std::to_string(first), seed % 2 == 0);
  }
}

TEST_P(AllocationFaults, TheTestCanFail) {
  EXPECT_EQ(run("from:1", false).code, 5);
  EXPECT_EQ(run("once:0", false).code, 0);
}

class AllocationFaultsOnDevice : public AllocationFaults {
 protected:
  void SetUp() override {
    if (!FaultyDevice::built()) GTEST_SKIP() << "built without CUDA";
    AllocationFaults::SetUp();
    backend_ = "cuda";
  }
  FaultyDevice device_;
};

TEST_P(AllocationFaultsOnDevice, AnySingleOneAndAllFromOneOn) {
  const long long all = count();
  ASSERT_GT(all, 500);
  bool old = false;
  int step = 0;
  for (const long long k : chosen(all)) {
    expect_sound("once:" + std::to_string(k), old = !old);
    if (run_all() || step++ % 4 == 0) expect_sound("from:" + std::to_string(k), old);
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, AllocationFaultsOnDevice,
                         ::testing::ValuesIn(commands_on_devices(small_commands())),
                         [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(Commands, AllocationFaults, ::testing::ValuesIn(commands_that_allocate()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tessera::testing
