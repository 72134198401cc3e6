// SPDX-License-Identifier: Apache-2.0
/// Calls on an object with a state, one at a time.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <mutex>
#include <string>
#include <thread>

#include "python/long_call.hpp"

namespace tessera::python {

/// A member of the object.
struct Turns {
  std::timed_mutex mutex;
  std::atomic<std::thread::id> thread{};  ///< that has its turn
  std::atomic<pid_t> process = 0;         ///< of that thread; 0: nobody has
};

/// A turn, as a long call: waits for those of other threads, without the interpreter's lock. Throws
/// Error(usage) if it would wait forever: for a thread that stayed behind when the process was
/// forked, or for the call during which a signal handler made this one.
class Turn {
 public:
  Turn(const std::string& operation, Turns& turns);
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  LongCall call_;
  Turns& turns_;
};

}  // namespace tessera::python
