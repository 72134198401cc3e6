// SPDX-License-Identifier: Apache-2.0
#include "core/fork.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "core/parallel.hpp"
#include "core/pools.hpp"

// The thread sanitizer does not follow a process with threads into its child.
#ifdef __SANITIZE_THREAD__
TEST(Fork, IsNotFollowedByTheThreadSanitizer) { GTEST_SKIP() << "a forked child with threads"; }
#else

namespace tessera {
namespace {

/// Whether `work` returns true in a forked child; a child that hangs is ended by its alarm.
bool holds_in_child(const std::function<bool()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    ::_exit(work() ? 0 : 1);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int sum_to(int count) {
  std::atomic<int> sum{0};
  parallel_for(count, 4, [&](int i) { sum += i; });
  return sum;
}

/// Whether two threads share a loop.
bool two_threads_meet() {
  std::atomic<int> there{0};
  parallel_for(2, 2, [&](int) {
    ++there;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (there < 2 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  });
  return there == 2;
}

TEST(Fork, AChildStartsThreadsOfItsOwn) {
  ASSERT_TRUE(two_threads_meet());
  EXPECT_TRUE(holds_in_child([] {
    const auto begun = std::chrono::steady_clock::now();
    return two_threads_meet() && std::chrono::steady_clock::now() - begun < std::chrono::seconds(9);
  }));
}

TEST(Fork, TeamsWorkInAChild) {
  ASSERT_EQ(sum_to(100), 4950);  // the parent's team exists
  EXPECT_EQ(fork_depth(), 0);
  EXPECT_TRUE(holds_in_child([] { return fork_depth() == 1 && sum_to(100) == 4950; }));
  EXPECT_TRUE(holds_in_child(
      [] { return holds_in_child([] { return fork_depth() == 2 && sum_to(100) == 4950; }); }));
  EXPECT_EQ(sum_to(100), 4950);
}

TEST(Fork, AChildNeverFindsAMutexLocked) {
  static ForkMutex mutex;
  std::atomic<bool> done{false};
  std::thread other([&] {
    while (!done) {
      const std::lock_guard lock(mutex);
      host_scratch(4096);
    }
  });
  for (int i = 0; i < 50; ++i)
    EXPECT_TRUE(holds_in_child([&] {
      const std::lock_guard lock(mutex);
      return host_scratch(4096).data() != nullptr;
    }));
  done = true;
  other.join();
}

}  // namespace
}  // namespace tessera

#endif
