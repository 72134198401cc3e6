// SPDX-License-Identifier: Apache-2.0
#include "core/stop.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "core/parallel.hpp"

namespace tessera {
namespace {

/// Work that would not end by itself.
void work_until_stopped() {
  for (;;) {
    poll_stop();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST(Stop, NobodyAsksNobodyStops) {
  poll_stop();
  EXPECT_EQ(current_stop(), nullptr);
  EXPECT_FALSE(asks_to_stop());
}

TEST(Stop, TheCallerIsAskedOnItsOwnThread) {
  const auto caller = std::this_thread::get_id();
  for (const int threads : {1, 2, 4}) {
    int asked = 0;
    const StopCheck check([&] {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      return ++asked == 2;
    });
    EXPECT_THROW(parallel_for(100, threads, [](int) { work_until_stopped(); }), Stopped);
    EXPECT_EQ(asked, 2);
  }
}

// The caller is done with its own index and only waits.
TEST(Stop, TheCallerIsAskedWhileItWaitsForOthers) {
  const auto caller = std::this_thread::get_id();
  std::atomic<bool> others_begun{false};
  const StopCheck check([&] { return others_begun.load(); });
  EXPECT_THROW(parallel_for(2, 2,
                            [&](int) {
                              if (std::this_thread::get_id() == caller) {
                                while (!others_begun) std::this_thread::yield();
                                return;  // the other index is the other thread's
                              }
                              others_begun = true;
                              work_until_stopped();
                            }),
               Stopped);
}

TEST(Stop, TasksAndTheirTeamsStop) {
  const StopCheck check([] { return true; });
  EXPECT_THROW(
      run_at_once(3, 3, [](int) { parallel_for(8, 2, [](int) { work_until_stopped(); }); }),
      Stopped);
}

TEST(Stop, EveryStageOfAnOrderedRunStops) {
  for (const int endless : {0, 1, 2}) {
    const StopCheck check([] { return true; });
    const auto stage = [endless](int number) {
      if (number == endless) work_until_stopped();
    };
    int next = 0;
    EXPECT_THROW(ordered<int>(
                     [&](int& item) {
                       stage(0);
                       item = next++;
                       return item < 1000;
                     },
                     [&](int&) { stage(1); }, [&](int&) { stage(2); }, 3),
                 Stopped);
  }
}

TEST(Stop, AfterwardsEverythingWorks) {
  {
    const StopCheck check([] { return true; });
    EXPECT_THROW(parallel_for(4, 2, [](int) { work_until_stopped(); }), Stopped);
  }
  std::atomic<int> sum{0};
  parallel_for(100, 4, [&](int i) { sum += i; });
  EXPECT_EQ(sum, 4950);
}

TEST(Stop, ACallInsideTheCheckDoesNotAskItAgain) {
  int asked = 0;
  const StopCheck check([&] {
    EXPECT_EQ(++asked, 1);
    EXPECT_EQ(current_stop(), nullptr);
    std::this_thread::sleep_for(2 * kStopInterval);
    parallel_for(10, 2, [](int) { poll_stop(); });
    return true;
  });
  EXPECT_THROW(parallel_for(2, 2, [](int) { work_until_stopped(); }), Stopped);
}

TEST(Stop, ACallInsideTheCheckIsSeparate) {
  bool stop = false;
  const StopCheck outer([&] {
    const StopCheck inner([] { return false; });
    std::atomic<int> sum{0};
    parallel_for(10, 2, [&](int i) { sum += i; });
    EXPECT_EQ(sum, 45);
    return stop = true;
  });
  EXPECT_THROW(parallel_for(2, 2, [](int) { work_until_stopped(); }), Stopped);
  EXPECT_TRUE(stop);
}

}  // namespace
}  // namespace tessera
