// SPDX-License-Identifier: Apache-2.0
/// What a forked child must know: of all threads only the one that called fork came along.
#pragma once

#include <mutex>

namespace tessera {

/// The number of forks between this process and the one that loaded the library: 0 in that one.
int fork_depth();

/// A mutex that lives as long as the process. It is taken before every fork and released after it,
/// so that a child never finds it locked by a thread it does not have. Hold it only briefly: fork
/// waits for it.
class ForkMutex {
 public:
  ForkMutex();
  ForkMutex(const ForkMutex&) = delete;
  ForkMutex& operator=(const ForkMutex&) = delete;

  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }
  bool try_lock() { return mutex_.try_lock(); }

 private:
  friend struct ForkHandlers;

  std::mutex mutex_;
  ForkMutex* next_ = nullptr;
};

}  // namespace tessera
