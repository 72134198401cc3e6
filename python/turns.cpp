// SPDX-License-Identifier: Apache-2.0
#include "python/turns.hpp"

#include <unistd.h>

#include <chrono>

#include "tessera/error.hpp"

namespace tessera::python {

Turn::Turn(const std::string& operation, Turns& turns) : turns_(turns) {
  const pid_t process = turns.process;
  if (process != 0 && process != ::getpid())
    throw Error(ErrorKind::usage, operation +
                                      ": another thread was using this object when the process was "
                                      "forked; make a new one in the child");
  if (process != 0 && turns.thread.load() == std::this_thread::get_id())
    throw Error(ErrorKind::usage,
                operation +
                    ": this thread is inside a call on the same object; a signal handler "
                    "must not use it");
  while (!turns.mutex.try_lock_for(std::chrono::milliseconds(50))) call_.poll();
  turns.thread = std::this_thread::get_id();
  turns.process = ::getpid();
}

Turn::~Turn() {
  turns_.process = 0;
  turns_.mutex.unlock();
}

}  // namespace tessera::python
