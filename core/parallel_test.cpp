// SPDX-License-Identifier: Apache-2.0
#include "core/parallel.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <thread>

namespace tessera {
namespace {

TEST(Parallel, RunsEveryIndexOnce) {
  for (const int threads : {1, 2, 3, 7}) {
    std::vector<std::atomic<int>> seen(1000);
    parallel_for(1000, threads, [&](int i) { ++seen[static_cast<std::size_t>(i)]; });
    for (const auto& count : seen) EXPECT_EQ(count, 1);
  }
  parallel_for(0, 4, [](int) { FAIL(); });
}

TEST(Parallel, RethrowsAndStops) {
  for (const int threads : {1, 4}) {
    try {
      parallel_for(100, threads, [](int i) {
        if (i >= 10) throw std::runtime_error(std::to_string(i));
      });
      FAIL();
    } catch (const std::runtime_error& error) {
      EXPECT_GE(std::atoi(error.what()), 10);
      EXPECT_LE(std::atoi(error.what()), 10 + threads);
    }
  }
}

// Both have more than one thread at a time: whether or not the team inside is OpenMP's.
TEST(Parallel, TasksHaveTeamsOfTheirOwn) {
  std::atomic<int> tasks{0}, inside{0};
  std::barrier together(4);
  run_at_once(2, 2, [&](int) {
    ++tasks;
    parallel_for(2, 2, [&](int) {
      ++inside;
      together.arrive_and_wait();  // forever, unless they all run at the same time
    });
  });
  EXPECT_EQ(tasks, 2);
  EXPECT_EQ(inside, 4);
}

std::set<std::thread::id> threads_of_loop(int threads) {
  std::set<std::thread::id> ids;
  std::mutex mutex;
  std::barrier together(threads);
  parallel_for(threads, threads, [&](int) {
    together.arrive_and_wait();
    const std::lock_guard lock(mutex);
    ids.insert(std::this_thread::get_id());
  });
  return ids;
}

TEST(Parallel, ThreadsStayWhenTeamsGetSmaller) {
  std::set<std::thread::id> ids;
  for (int i = 0; i < 20; ++i)
    for (const int threads : {5, 2, 3}) ids.merge(threads_of_loop(threads));
  EXPECT_EQ(ids.size(), 5U);
}

TEST(Parallel, LoopsInsideLoopsRunOnOneThread) {
  std::atomic<int> others{0};
  parallel_for(4, 4, [&](int) {
    const auto own = std::this_thread::get_id();
    parallel_for(8, 4, [&](int) { others += std::this_thread::get_id() != own; });
  });
  EXPECT_EQ(others, 0);
}

TEST(Parallel, ManyCallersShareTheThreads) {
  std::atomic<long> sum{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 6; ++caller)
    callers.emplace_back([&] {
      for (int i = 0; i < 300; ++i) parallel_for(i % 9, 1 + i % 5, [&](int k) { sum += k + 1; });
    });
  for (std::thread& caller : callers) caller.join();
  long expected = 0;
  for (int i = 0; i < 300; ++i) expected += (i % 9) * (i % 9 + 1) / 2;
  EXPECT_EQ(sum, 6 * expected);
}

TEST(Parallel, OpenMpRunsTheSameLoops) {
  std::vector<std::atomic<int>> seen(100);
  {
    const ScopedOpenMp openmp;
    parallel_for(100, 3, [&](int i) { ++seen[static_cast<std::size_t>(i)]; });
  }
  for (const auto& count : seen) EXPECT_EQ(count, 1);
}

TEST(Parallel, TasksRethrowAndStop) {
  std::atomic<int> begun{0};
  EXPECT_THROW(run_at_once(100, 3,
                           [&](int i) {
                             ++begun;
                             if (i == 5) throw std::runtime_error("five");
                             std::this_thread::sleep_for(std::chrono::milliseconds(1));
                           }),
               std::runtime_error);
  EXPECT_LT(begun, 100);
}

TEST(Parallel, PiecesAreCutFromRowZero) {
  // Cuts lie at multiples of 8 for any range: so blocking never depends on strips.
  std::set<std::pair<int, int>> pieces;
  std::mutex mutex;
  for_pieces({5, 30}, 8, Stream(kHost, 3), [&](Rows rows) {
    const std::lock_guard lock(mutex);
    pieces.insert({rows.first, rows.end});
  });
  EXPECT_EQ(pieces, (std::set<std::pair<int, int>>{{5, 8}, {8, 16}, {16, 24}, {24, 30}}));
  for_pieces({5, 5}, 8, Stream(kHost, 3), [](Rows) { FAIL(); });
}

TEST(Parallel, FoldHasTheSameBitsForAnyThreads) {
  const auto sum = [](int threads) {
    return fold_pieces<float>(
        {0, 10007}, 16, Stream(kHost, threads),
        [](Rows rows) {
          float part = 0;
          for (int y = rows.first; y < rows.end; ++y) part += 1.0F / static_cast<float>(y + 1);
          return part;
        },
        [](float& all, const float& part) { all += part; });
  };
  for (const int threads : {2, 3, 7}) EXPECT_EQ(sum(1), sum(threads));
}

TEST(Parallel, ThreadsObeyTheEnvironment) {
  const char* before = std::getenv("OMP_NUM_THREADS");
  const std::string kept = before ? before : "";
  setenv("OMP_NUM_THREADS", "3", 1);
  EXPECT_EQ(available_threads(), 3);
  EXPECT_EQ(Stream().threads(), 3);
  unsetenv("OMP_NUM_THREADS");
  EXPECT_GE(available_threads(), 1);
  if (before) setenv("OMP_NUM_THREADS", kept.c_str(), 1);
}

TEST(Parallel, ChoicesCountWithTheWholeMachine) {
  const int all = node_threads();
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  CPU_ZERO(&one);
  for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++core)
    if (CPU_ISSET(core, &before)) CPU_SET(core, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(node_threads(), all);
  EXPECT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
}

TEST(Ordered, KeepsTheOrderAndTheDepth) {
  int next = 0, expected = 0;
  std::atomic<int> in_flight{0}, most{0};
  ordered<int>(
      [&](int& item) {
        if (next == 200) return false;
        item = next++;
        most = std::max(most.load(), ++in_flight);
        return true;
      },
      [](int& item) { item *= 2; },
      [&](int& item) {
        EXPECT_EQ(item, 2 * expected++);
        --in_flight;
      },
      3);
  EXPECT_EQ(expected, 200);
  EXPECT_LE(most, 3);
}

TEST(Ordered, AnyStageMayFail) {
  for (const int failing : {0, 1, 2}) {
    int next = 0;
    const auto fail_in = [failing](int stage, int item) {
      if (stage == failing && item == 20) throw std::runtime_error("stage failed");
    };
    EXPECT_THROW(ordered<int>(
                     [&](int& item) {
                       item = next++;
                       fail_in(0, item);
                       return true;
                     },
                     [&](int& item) { fail_in(1, item); }, [&](int& item) { fail_in(2, item); }, 2),
                 std::runtime_error);
  }
}

}  // namespace
}  // namespace tessera
