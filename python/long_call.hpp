// SPDX-License-Identifier: Apache-2.0
/// Long calls of the library: other Python threads run meanwhile, and signals are heard.
#pragma once

#include <Python.h>

#include "tessera/stop_check.hpp"

namespace tessera::python {

/// The interpreter's lock, let go for as long as this exists.
class Unlocked {
 public:
  Unlocked();
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

  void take();  ///< the lock, for a moment
  void give();

 private:
  PyThreadState* state_;
};

/// Put before a call of the library that may take long. Signal handlers run during the call, about
/// every 50 ms, on the thread that made it; if one raises, as Ctrl-C does, the call ends with
/// Stopped, which the module turns into what was raised.
class LongCall {
 public:
  LongCall();
  void poll();  ///< runs signal handlers; throws Stopped if one raises

 private:
  bool interrupted();

  Unlocked unlocked_;
  StopCheck check_;  ///< after the lock, which it takes
};

/// Sets the Python error that a signal handler raised in a call that was stopped.
void restore_interruption();

}  // namespace tessera::python
