// SPDX-License-Identifier: Apache-2.0
/// Long calls that their caller can stop.
///
///     const StopCheck check([&] { return window.closed(); });
///     plan(image, result);  // throws Stopped soon after the check has returned true
///
/// Outputs in memory, and a state that `add` was changing, are then undefined; files are as they
/// were before the call. Plans and streams can be used again.
#pragma once

#include <exception>
#include <functional>
#include <memory>

#include "tessera/export.hpp"

namespace tessera {

/// Thrown by a call that was stopped. It is not an Error: nothing is wrong.
class TESSERA_API Stopped : public std::exception {
 public:
  const char* what() const noexcept override { return "the call was stopped by its caller"; }
};

struct StopState;

/// While it exists, calls of the library on this thread ask `should_stop` about every 50 ms, on
/// this thread, whichever of the library's threads do the work.
class TESSERA_API StopCheck {
 public:
  explicit StopCheck(std::function<bool()> should_stop);
  ~StopCheck();
  StopCheck(const StopCheck&) = delete;
  StopCheck& operator=(const StopCheck&) = delete;

 private:
  std::unique_ptr<StopState> state_;
  StopState* before_;
};

}  // namespace tessera
