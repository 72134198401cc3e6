// SPDX-License-Identifier: Apache-2.0
#include "core/parallel.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>

#include "core/cgroup.hpp"
#include "core/team.hpp"

namespace tessera {
namespace {

int affinity_threads() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return std::max(1, CPU_COUNT(&set));
}

int environment_threads() {
  const char* text = std::getenv("OMP_NUM_THREADS");
  return text ? std::atoi(text) : 0;
}

using Team = void (*)(int threads, const std::function<void()>& work);

void run_indices(int count, int threads, const std::function<void(int)>& work, Team team) {
  std::atomic<int> next{0};
  std::mutex mutex;
  int failed_index = count;
  std::exception_ptr failure;
  const auto run = [&] {
    for (int i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (i < failed_index) {
          failed_index = i;
          failure = std::current_exception();
        }
        next = count;  // nothing new starts; lower indices are already running
      }
    }
  };
  team(std::min(count, threads), run);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

int available_threads() {
  if (const int asked = environment_threads(); asked > 0) return asked;
  const double granted = std::ceil(cgroup_cpus("/proc/self/cgroup", "/sys/fs/cgroup"));
  return static_cast<int>(std::clamp<double>(granted, 1, affinity_threads()));
}

void parallel_for(int count, int threads, const std::function<void(int)>& work) {
  run_indices(count, threads, work, run_team);
}

void run_at_once(int count, int at_once, const std::function<void(int)>& work) {
  run_indices(count, at_once, work, run_plain_threads);
}

void for_pieces(Rows all, int piece_rows, const Stream& stream,
                const std::function<void(Rows)>& run) {
  parallel_for(piece_count(all, piece_rows), stream.threads(),
               [&](int i) { run(piece_at(all, piece_rows, i)); });
}

void for_pieces(Rows all, int piece_rows, int planes, const Stream& stream,
                const std::function<void(int, Rows)>& run) {
  const int pieces = piece_count(all, piece_rows);
  parallel_for(pieces * planes, stream.threads(),
               [&](int i) { run(i / pieces, piece_at(all, piece_rows, i % pieces)); });
}

}  // namespace tessera
