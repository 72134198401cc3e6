// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/copy_threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace tessera::cuda {
namespace {

void wait_for(const std::atomic<bool>& flag) {
  while (!flag) std::this_thread::yield();
}

TEST(CopyThreads, NotMoreHelpersThanAllowed) {
  for (const int allowed : {1, 2, 3}) {
    std::atomic<int> helpers = 0;
    CopyThreads::instance().run(
        allowed, [&] { ++helpers; },
        [&] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); });
    EXPECT_LE(helpers, allowed - 1);
  }
}

TEST(CopyThreads, HelpersRunWhileTheCallerLeads) {
  if (CopyThreads::instance().size() < 2) GTEST_SKIP() << "one core";
  std::atomic<bool> there = false;
  CopyThreads::instance().run(
      2, [&] { there = true; }, [&] { wait_for(there); });
}

TEST(CopyThreads, AFailureComesBackWhenAllHelpersHaveLeft) {
  std::atomic<bool> failed = false;
  std::atomic<int> inside = 0;
  const auto help = [&] {
    ++inside;
    wait_for(failed);
    --inside;
  };
  const auto lead = [&] {
    failed = true;
    throw std::runtime_error("no link");
  };
  EXPECT_THROW(CopyThreads::instance().run(8, help, lead), std::runtime_error);
  EXPECT_EQ(inside, 0);
}

TEST(CopyThreads, ManyCallersAtOnceAllEnd) {
  std::atomic<int> led = 0;
  std::vector<std::thread> callers;
  for (int i = 0; i < 8; ++i)
    callers.emplace_back([&] {
      for (int round = 0; round < 50; ++round)
        CopyThreads::instance().run(
            16, [] {}, [&] { ++led; });
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(led, 400);
}

}  // namespace
}  // namespace tessera::cuda
