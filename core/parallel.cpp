// SPDX-License-Identifier: Apache-2.0
#include "core/parallel.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <cstdlib>

#include "core/cgroup.hpp"
#include "core/node_share.hpp"
#include "core/pinning.hpp"
#include "core/stop.hpp"
#include "core/team.hpp"

namespace tessera {
namespace {

int affinity_threads() {
  cpu_set_t set;
  if (!allowed_cpus(set)) return 1;
  return std::max(1, CPU_COUNT(&set));
}

int environment_threads() {
  const char* text = std::getenv("OMP_NUM_THREADS");
  return text ? std::atoi(text) : 0;
}

using Team = void (*)(int threads, const std::function<void()>& work);

/// The team that runs this thread's loops.
thread_local Team team_of_loops = run_team;

/// The indices of one loop, shared by the threads of a team.
class Indices {
 public:
  Indices(int count, const std::function<void(int)>& work)
      : count_(count), work_(work), failed_index_(count) {}

  void run() {
    const StopShare share(stop_);
    ++busy_;
    for (int i = next_++; i < count_; i = next_++)
      try_to(i, [&] {
        poll_stop();
        work_(i);
      });
    if (asks_to_stop()) wait_for_others();
    const std::lock_guard lock(mutex_);
    --busy_;
    changed_.notify_all();
  }

  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  template <class Body>
  void try_to(int index, const Body& body) {
    try {
      body();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (index < failed_index_) {
        failed_index_ = index;
        failure_ = std::current_exception();
      }
      next_ = count_;  // nothing new starts; lower indices are already running
    }
  }

  // Only this thread asks the caller whether to stop. The team would wait without asking.
  void wait_for_others() {
    std::unique_lock lock(mutex_);
    const auto alone = [&] { return busy_ == 1; };
    while (!changed_.wait_for(lock, kStopInterval, alone)) {
      lock.unlock();
      try_to(-1, poll_stop);
      lock.lock();
    }
  }

  const int count_;
  const std::function<void(int)>& work_;
  StopState* const stop_ = current_stop();
  std::atomic<int> next_{0}, busy_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  int failed_index_;
  std::exception_ptr failure_;
};

void run_indices(int count, int threads, const std::function<void(int)>& work, Team team) {
  Indices indices(count, work);
  team(std::min(count, threads), [&] { indices.run(); });
  indices.rethrow();
}

}  // namespace

namespace {

int at_most_granted(int threads) {
  // Once per process: reading the files takes 26 us (Neoverse-N1), as long as filtering 64x64
  // pixels.
  static const double granted = std::ceil(cgroup_cpus("/proc/self/cgroup", "/sys/fs/cgroup"));
  return static_cast<int>(std::clamp<double>(granted, 1, threads));
}

}  // namespace

int available_threads() {
  const int asked = environment_threads(), share = node_share().threads;
  if (asked > 0) return asked;
  const int allowed = at_most_granted(affinity_threads());
  return share > 0 ? std::min(share, allowed) : allowed;
}

int node_threads() {
  return at_most_granted(std::max(1, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN))));
}

void parallel_for(int count, int threads, const std::function<void(int)>& work) {
  run_indices(count, threads, work, team_of_loops);
}

ScopedOpenMp::ScopedOpenMp() { team_of_loops = run_openmp_team; }
ScopedOpenMp::~ScopedOpenMp() { team_of_loops = run_team; }

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
