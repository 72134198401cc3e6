// SPDX-License-Identifier: Apache-2.0
#include "core/pinning.hpp"

#include <gtest/gtest.h>

#include <barrier>
#include <mutex>
#include <set>

#include "core/parallel.hpp"

namespace tessera {
namespace {

cpu_set_t mask_now() {
  cpu_set_t set;
  CPU_ZERO(&set);
  EXPECT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
  return set;
}

TEST(Pinning, OneCpuOfEveryCoreComesFirst) {
  using Cpus = std::vector<int>;
  EXPECT_EQ(order_by_core({0, 1, 2, 3}, {"0,2", "1,3", "0,2", "1,3"}), (Cpus{0, 1, 2, 3}));
  EXPECT_EQ(order_by_core({0, 1, 2, 3}, {"0-1", "0-1", "2-3", "2-3"}), (Cpus{0, 2, 1, 3}));
  EXPECT_EQ(order_by_core({4, 6}, {"", ""}), (Cpus{4, 6})) << "an unknown core is its own";
}

/// The masks of the threads of a team that all run at the same time.
std::vector<cpu_set_t> masks_of_team(int threads) {
  std::vector<cpu_set_t> masks;
  std::mutex mutex;
  std::barrier together(threads);
  parallel_for(threads, threads, [&](int) {
    const cpu_set_t mask = mask_now();
    {
      const std::lock_guard lock(mutex);
      masks.push_back(mask);
    }
    together.arrive_and_wait();  // forever, unless each has its own thread
  });
  return masks;
}

/// pinned_cpus() is the caller's alone.
std::vector<int> order_of_machine() {
  std::vector<int> cpus;
  cpu_set_t all;
  EXPECT_TRUE(allowed_cpus(all));
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &all)) cpus.push_back(cpu);
  return cpus;
}

void expect_bound_and_released(int threads) {
  const cpu_set_t before = mask_now();
  const int available = available_threads();
  std::set<int> bound;
  {
    const ScopedPinning pinned;
    EXPECT_EQ(available_threads(), available) << "being bound hides no core";
    const std::vector<int>& order = *pinned_cpus();
    for (const cpu_set_t& mask : masks_of_team(threads)) {
      EXPECT_EQ(CPU_COUNT(&mask), 1);
      for (const int cpu : order)
        if (CPU_ISSET(cpu, &mask)) bound.insert(cpu);
    }
    EXPECT_EQ(bound.size(), std::min<std::size_t>(order.size(), threads));
    EXPECT_TRUE(bound.contains(order.front()));
  }
  EXPECT_EQ(pinned_cpus(), nullptr);
  const cpu_set_t after = mask_now();
  EXPECT_TRUE(CPU_EQUAL(&before, &after));
  for (const cpu_set_t& mask : masks_of_team(threads)) EXPECT_TRUE(CPU_EQUAL(&before, &mask));
}

TEST(Pinning, ThreadsAreBoundAndReleased) {
  for (const int threads : {1, 2, 3}) expect_bound_and_released(threads);
}

TEST(Pinning, AReleasedThreadMayGoAnywhere) {
  const cpu_set_t before = mask_now();
  const ScopedPinning pinned;
  {
    const ScopedRelease anywhere;
    const cpu_set_t now = mask_now();
    EXPECT_TRUE(CPU_EQUAL(&before, &now));
  }
  const cpu_set_t bound = mask_now();
  EXPECT_EQ(CPU_COUNT(&bound), 1);
}

TEST(Pinning, ThreadsOfOpenMpToo) {
  const ScopedOpenMp openmp;
  for (const int threads : {1, 2}) expect_bound_and_released(threads);
}

TEST(Pinning, ThreadsThatStartNowToo) {
  const ScopedPinning pinned;
  std::set<int> cpus;
  std::mutex mutex;
  std::barrier together(2);
  run_at_once(2, 2, [&](int) {
    const cpu_set_t mask = mask_now();
    EXPECT_EQ(CPU_COUNT(&mask), 1);
    {
      const std::lock_guard lock(mutex);
      for (const int cpu : order_of_machine())
        if (CPU_ISSET(cpu, &mask)) cpus.insert(cpu);
    }
    together.arrive_and_wait();
  });
  EXPECT_EQ(cpus.size(), std::min<std::size_t>(2, order_of_machine().size()));
}

}  // namespace
}  // namespace tessera
