// SPDX-License-Identifier: Apache-2.0
#include "core/fork.hpp"

#include <pthread.h>

#include <atomic>
#include <thread>

namespace tessera {

// A list without memory of its own: mutexes are also made while memory runs out, and before main.
struct ForkHandlers {
  static inline std::atomic<ForkMutex*> first = nullptr;
  static inline std::atomic<int> depth = 0;
  static inline ForkMutex* taken = nullptr;  ///< the first when the fork began

  /// All or none, so that the order in which others take several of them does not matter.
  static bool take_all() {
    taken = first;
    for (ForkMutex* one = taken; one; one = one->next_) {
      if (one->try_lock()) continue;
      for (ForkMutex* held = taken; held != one; held = held->next_) held->unlock();
      return false;
    }
    return true;
  }
  static void give_all() {
    for (ForkMutex* one = taken; one; one = one->next_) one->unlock();
  }

  static void before() {
    while (!take_all()) std::this_thread::yield();
  }
  static void in_parent() { give_all(); }
  static void in_child() {
    ++depth;
    give_all();
  }
};

namespace {

// Work of another library may have used OpenMP before the fork, so that the handler is set when
// this one is loaded, not when it first computes.
const int fork_handlers_set =
    pthread_atfork(ForkHandlers::before, ForkHandlers::in_parent, ForkHandlers::in_child);

}  // namespace

int fork_depth() {
  static_cast<void>(fork_handlers_set);
  return ForkHandlers::depth;
}

ForkMutex::ForkMutex() : next_(ForkHandlers::first) {
  while (!ForkHandlers::first.compare_exchange_weak(next_, this)) {
  }
}

}  // namespace tessera
