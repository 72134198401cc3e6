// SPDX-License-Identifier: Apache-2.0
/// Threads that fill and empty page-locked chunks: one core copies a fraction of what a link to a
/// device carries.
#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>

namespace tessera::cuda {

/// Kept for as long as the process lives, asleep when nothing is copied: starting threads for every
/// copy would take longer than most copies. Copies at the same time share them evenly.
class CopyThreads {
 public:
  static CopyThreads& instance();

  /// The threads that a copy can have, the caller's among them.
  int size() const { return helpers_ + 1; }

  /// Runs `lead` on this thread and, meanwhile, `help` once on each of up to `threads - 1` others:
  /// as many as are free, perhaps none. Returns when all have; throws what `lead` throws. `help`
  /// must end when `lead` has ended, and throws nothing.
  void run(int threads, const std::function<void()>& help, const std::function<void()>& lead);

 private:
  struct Job {
    int room;  ///< helpers that it still takes
    const std::function<void()>& help;
    int helpers = 0;  ///< now
  };

  CopyThreads();
  void start();  ///< the threads, once
  void help();
  Job* find_job();

  const int helpers_;
  bool started_ = false;
  std::mutex mutex_;
  std::condition_variable new_job_, helper_left_;
  std::list<Job*> jobs_;
};

}  // namespace tessera::cuda
