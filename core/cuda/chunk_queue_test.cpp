// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/chunk_queue.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace tessera::cuda {
namespace {

using Calls = std::vector<std::atomic<int>>;

/// Counts the copies of each chunk, and those that were not allowed yet.
struct Counted {
  Calls calls;
  std::atomic<int> allowed{0}, too_early{0};
  std::function<void(int)> copy = [this](int index) {
    ++calls[static_cast<std::size_t>(index)];
    if (index >= allowed) ++too_early;
  };

  explicit Counted(int count) : calls(static_cast<std::size_t>(count)) {}
  void expect_each_once() const {
    for (const auto& each : calls) EXPECT_EQ(each, 1);
    EXPECT_EQ(too_early, 0);
  }
};

TEST(ChunkQueue, EachChunkOnceAndNoneBeforeItIsAllowed) {
  for (const int helpers : {0, 1, 3, 7}) {
    constexpr int kCount = 500, kSlots = 4;
    Counted counted(kCount);
    ChunkQueue queue(kCount);
    std::vector<std::thread> threads;
    for (int i = 0; i < helpers; ++i) threads.emplace_back([&] { queue.help(counted.copy); });
    const auto allow = [&](int end) {
      counted.allowed = end;
      queue.allow(end);
    };
    allow(kSlots);
    for (int index = 0; index < kCount; ++index) {
      while (!queue.finished(index)) queue.help_or_yield(index + 1, counted.copy);
      allow(index + 1 + kSlots);
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_TRUE(queue.all_finished());
    counted.expect_each_once();
  }
}

TEST(ChunkQueue, TheCallerLeavesChunksToHelpersAndThoseThatAreNotAllowed) {
  Counted counted(3);
  ChunkQueue queue(3);
  queue.help_or_yield(3, counted.copy);
  EXPECT_EQ(counted.calls[0], 0) << "not allowed";
  counted.allowed = 3;
  queue.allow(3);
  queue.help_or_yield(0, counted.copy);
  EXPECT_EQ(counted.calls[0], 0) << "not below the end";
  for (int i = 0; i < 5; ++i) queue.help_or_yield(2, counted.copy);
  EXPECT_FALSE(queue.finished(2));
  EXPECT_FALSE(queue.all_finished());
  queue.help(counted.copy);
  EXPECT_TRUE(queue.all_finished());
  counted.expect_each_once();
}

TEST(ChunkQueue, HelpersLeaveAnAbandonedQueue) {
  Counted counted(10);
  ChunkQueue queue(10);
  counted.allowed = 1;
  queue.allow(1);
  std::thread helper([&] { queue.help(counted.copy); });
  while (!queue.finished(0)) std::this_thread::yield();
  queue.abandon();
  helper.join();
  EXPECT_FALSE(queue.all_finished());
  EXPECT_EQ(counted.calls[5], 0);
}

}  // namespace
}  // namespace tessera::cuda
