// SPDX-License-Identifier: Apache-2.0
/// Where the library notices that its caller wants it to stop (tessera/stop_check.hpp).
#pragma once

#include <chrono>

#include "tessera/stop_check.hpp"

namespace tessera {

/// How often a caller is asked, and the longest a thread waits without asking.
inline constexpr std::chrono::milliseconds kStopInterval{50};

/// Throws Stopped if the caller of the work on this thread wants it to stop. parallel_for and
/// ordered call it between pieces and while they wait; work that takes longer than a few
/// milliseconds calls it inside. It costs some ten nanoseconds, nothing without a StopCheck.
void poll_stop();

/// The check of this thread's caller, for threads that work for it; null if there is none.
StopState* current_stop();

/// Whether this thread is the one that asks the caller.
bool asks_to_stop();

/// Makes this thread work for the caller that has this check.
class StopShare {
 public:
  explicit StopShare(StopState* state);
  ~StopShare();
  StopShare(const StopShare&) = delete;
  StopShare& operator=(const StopShare&) = delete;

 private:
  StopState* before_;
};

}  // namespace tessera
