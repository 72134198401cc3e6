// SPDX-License-Identifier: Apache-2.0
// The threads of teams live as long as the process, and any caller's next team takes those that are
// idle. libgomp ends threads whenever a team is smaller than the last one and starts them again for
// a larger one: correlate of 256x256 took 0.76 ms with it and 0.13 with these (bench/calls.py, 16
// Xeon cores).
#include "core/team.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "core/fork.hpp"
#include "core/parallel.hpp"
#include "core/pinning.hpp"

namespace tessera {
namespace {

/// Threads look for work this long before they sleep: steps of one call follow each other within
/// it, and waking a thread takes about as long.
constexpr std::chrono::microseconds kSpin{100};
constexpr int kLooksPerClock = 32;
constexpr std::size_t kMostWorkers = 1023;

/// A worker is idle until a caller takes it from the pool, and called until it begins the work or
/// the caller, who has finished, calls it off.
enum State : int { kIdle, kCalled, kRunning };

struct Worker;

struct Team {
  const std::function<void()>& work;
  std::span<Worker* const> workers;
  const std::vector<int>* cpus;  ///< null: threads are not bound
};

struct alignas(64) Worker {
  std::atomic<int> state{kIdle};
  /// Threads that sleep until `state` changes. The library's own count is shared by many addresses,
  /// and a wake-up that nobody needs is a call of the system.
  std::atomic<int> sleepers{0};
  const Team* team = nullptr;
  std::size_t place = 0;  ///< in the team; the caller has place 0
};

thread_local bool in_team = false;

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Returns when the worker's state is not `old`.
void wait_while(Worker& worker, int old, bool spin) {
  if (spin)
    for (const auto end = std::chrono::steady_clock::now() + kSpin;
         std::chrono::steady_clock::now() < end;)
      for (int i = 0; i < kLooksPerClock; ++i) {
        if (worker.state.load(std::memory_order_acquire) != old) return;
        relax();
      }
  ++worker.sleepers;
  worker.state.wait(old);
  --worker.sleepers;
}

/// After a change of its state.
void wake(Worker& worker) {
  if (worker.sleepers > 0) worker.state.notify_all();
}

/// Every thread of a team wakes two others, so that the caller does not wait for the last.
void wake_others(const Team& team, std::size_t place) {
  for (const std::size_t next : {2 * place, 2 * place + 1})
    if (next < team.workers.size()) wake(*team.workers[next]);
}

/// The idle threads of the process.
class Pool {
 public:
  /// As many as there are and can be started, at most `wanted.size()`.
  std::span<Worker*> take(std::span<Worker*> wanted) {
    const std::lock_guard lock(mutex_);
    if (depth_ != fork_depth()) forget();
    std::size_t count = 0;
    while (count < wanted.size() && (!idle_.empty() || start())) {
      wanted[count++] = idle_.back();
      idle_.pop_back();
    }
    return wanted.first(count);
  }

  /// The next team gets the same workers in the same places.
  void give_back(std::span<Worker* const> workers) {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = workers.size(); i-- > 0;) idle_.push_back(workers[i]);
  }

  /// Not if there are more threads than cores: then another thread needs the core.
  bool spins() const { return spins_; }

 private:
  // A forked child has none of the threads.
  void forget() {
    idle_.clear();
    workers_ = 0;
    depth_ = fork_depth();
  }

  bool start() {
    Worker* worker = nullptr;
    try {
      idle_.reserve(workers_ + 1);  // so that giving back allocates nothing
      worker = new Worker;
      std::thread([this, worker] { live(*worker); }).detach();
    } catch (const std::exception&) {  // no memory or no more threads: fewer share the work
      delete worker;
      return false;
    }
    idle_.push_back(worker);
    spins_ = static_cast<int>(++workers_) < available_threads();
    return true;
  }

  [[noreturn]] void live(Worker& worker) const {
    in_team = true;
    for (;;) {
      wait_while(worker, kIdle, spins());
      int called = kCalled;
      if (!worker.state.compare_exchange_strong(called, kRunning)) continue;
      wake_others(*worker.team, worker.place);
      bind_team_thread(worker.team->cpus, worker.place);
      worker.team->work();
      worker.state = kIdle;
      wake(worker);
    }
  }

  ForkMutex mutex_;
  std::vector<Worker*> idle_;
  std::size_t workers_ = 0;
  int depth_ = 0;
  std::atomic<bool> spins_ = true;
};

// Never destroyed: its threads look at it until the process ends.
Pool& pool() {
  static Pool& all = *new Pool;
  return all;
}

void call_off_or_wait(std::span<Worker* const> workers) {
  for (Worker* worker : workers) {
    int called = kCalled;
    if (worker->state.compare_exchange_strong(called, kIdle)) continue;
    while (worker->state.load(std::memory_order_acquire) == kRunning)
      wait_while(*worker, kRunning, pool().spins());
  }
}

}  // namespace

void run_team(int threads, const std::function<void()>& work) {
  if (threads <= 1 || in_team) return work();
  std::array<Worker*, kMostWorkers> places;
  const auto wanted = std::min(static_cast<std::size_t>(threads - 1), kMostWorkers);
  const std::span<Worker*> workers = pool().take(std::span(places).first(wanted));
  const Team team{work, workers, pinned_cpus()};
  for (std::size_t i = 0; i < workers.size(); ++i) {
    workers[i]->team = &team;
    workers[i]->place = i + 1;
    workers[i]->state = kCalled;
  }
  wake_others(team, 0);
  in_team = true;
  work();
  in_team = false;
  call_off_or_wait(workers);
  pool().give_back(workers);
}

}  // namespace tessera
