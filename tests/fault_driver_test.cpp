// SPDX-License-Identifier: Apache-2.0
// Any call of the CUDA driver fails, or the device is lost from it on: one sentence and the old
// files, or success with the right bytes. Without a GPU the device is played
// (tests/faults/driver_fault.cpp): its results are worth nothing, but they are always the same.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>

#include "tests/support/faults.hpp"
#include "tests/support/file_commands.hpp"

namespace tessera::testing {
namespace {

constexpr int kOutOfMemory = 2, kUnavailable = 46, kIllegalAddress = 700, kLaunchFailed = 719,
              kUnknown = 999;

class DriverFaults : public FileFaults {
 protected:
  Outcome run(const Words& settings, bool old) {
    scene_.expected();
    scene_.reset(old);
    Words words{"timeout", "-s", "KILL", "60", "env"};
    words.insert(words.end(), settings.begin(), settings.end());
    for (const std::string& word : scene_.arguments(old)) words.push_back(word);
    return Process(words).wait();
  }
  void expect_sound(const std::string& fault, bool old) {
    const Outcome outcome = run({"TESSERA_FAULT_DRIVER=" + fault}, old);
    // 2: no device was found, so no method can run with the backend that was asked for.
    EXPECT_TRUE(outcome.code == 0 || outcome.code == 1 || outcome.code == 2 || outcome.code == 5)
        << fault << ": exit code " << outcome.code << ": " << outcome.err;
    scene_.expect_sound(outcome, old, fault);
  }
  long long count() {
    const std::string text = report([&](std::string setting) {
      return run({setting.replace(0, std::string("TESSERA_FAULT").size(), "TESSERA_FAULT_DRIVER")},
                 false);
    });
    return std::ranges::count(text, '\n');
  }

 private:
  FaultyDevice device_;
};

std::set<long long> some_calls(long long all, int wanted) {
  std::set<long long> numbers;
  std::mt19937 random(5);
  if (run_all()) wanted *= 10;
  for (long long k = 1; k <= all && all <= wanted; ++k) numbers.insert(k);
  while (numbers.size() < static_cast<std::size_t>(std::min<long long>(all, wanted)))
    numbers.insert(1 + random() % all);
  return numbers;
}

TEST_P(DriverFaults, AnySingleCall) {
  constexpr std::array kErrors{kOutOfMemory, kLaunchFailed, kUnknown};
  const long long all = count();
  ASSERT_GT(all, 30);
  for (const long long k : some_calls(all, 12))
    expect_sound(fmt::format("{}:{}", k, kErrors[static_cast<std::size_t>(k) % kErrors.size()]),
                 k % 2 == 0);
}

TEST_P(DriverFaults, TheDeviceIsLost) {
  constexpr std::array kErrors{kUnavailable, kIllegalAddress};
  for (const long long k : some_calls(count(), 8))
    expect_sound(fmt::format("{}+:{}", k, kErrors[static_cast<std::size_t>(k) % kErrors.size()]),
                 k % 2 == 0);
}

TEST_P(DriverFaults, TheTestCanFail) {
  EXPECT_EQ(run({fmt::format("TESSERA_FAULT_DRIVER=1:{}", kUnknown)}, false).code, 2);
  EXPECT_EQ(run({"TESSERA_FAULT_DRIVER=0:1"}, false).code, 0);
}

INSTANTIATE_TEST_SUITE_P(Commands, DriverFaults,
                         ::testing::ValuesIn(commands_on_devices(small_commands())),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tessera::testing
