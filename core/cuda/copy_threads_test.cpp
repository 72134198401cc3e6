// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/copy_threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace tessera::cuda {
namespace {

TEST(CopyThreads, EveryIndexOnce) {
  for (const int count : {0, 1, 2, 7, 1000}) {
    std::vector<std::atomic<int>> calls(static_cast<std::size_t>(count));
    CopyThreads::instance().run(count, 100, [&](int i) { ++calls[static_cast<std::size_t>(i)]; });
    for (const auto& each : calls) EXPECT_EQ(each, 1);
  }
}

TEST(CopyThreads, NotMoreThreadsThanAllowed) {
  for (const int allowed : {1, 2}) {
    std::atomic<int> now = 0, most = 0;
    CopyThreads::instance().run(40, allowed, [&](int) {
      const int running = ++now;
      int seen = most;
      while (running > seen && !most.compare_exchange_weak(seen, running)) {
      }
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      --now;
    });
    EXPECT_LE(most, allowed);
  }
}

TEST(CopyThreads, TheFirstFailureComesBackAndTheRestIsLeftOut) {
  std::atomic<int> begun = 0;
  const auto work = [&](int i) {
    ++begun;
    if (i == 3) throw std::runtime_error("index 3");
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  };
  EXPECT_THROW(CopyThreads::instance().run(10000, 8, work), std::runtime_error);
  EXPECT_LT(begun, 10000);
}

TEST(CopyThreads, CopiesInBothDirectionsEndTogether) {
  std::atomic<long long> sums[8] = {};
  std::vector<std::thread> callers;
  for (auto& sum : sums)
    callers.emplace_back([&] {
      for (int round = 0; round < 50; ++round)
        CopyThreads::instance().run(64, 16, [&](int i) { sum += i; });
    });
  for (std::thread& caller : callers) caller.join();
  for (const auto& sum : sums) EXPECT_EQ(sum, 50LL * 64 * 63 / 2);
}

}  // namespace
}  // namespace tessera::cuda
