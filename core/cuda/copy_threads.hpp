// SPDX-License-Identifier: Apache-2.0
/// Threads that fill and empty page-locked chunks: one core copies a fraction of what a link to a
/// device carries.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <list>
#include <mutex>

namespace tessera::cuda {

/// Kept for as long as the process lives, asleep when nothing is copied: starting threads for every
/// copy would take longer than most copies. Copies in both directions share them evenly.
class CopyThreads {
 public:
  static CopyThreads& instance();

  /// The threads that a copy can have, the caller's among them.
  int size() const { return helpers_ + 1; }

  /// Calls work(i) for every i below `count` on at most `threads` threads, the caller's among them,
  /// and waits. Throws the first exception; what has not begun by then is left out.
  void run(int count, int threads, const std::function<void(int)>& work);

 private:
  struct Job {
    int count, room;  ///< indices in all; helpers that it still takes
    const std::function<void(int)>& work;
    int next = 0, helpers = 0;
    std::exception_ptr failure = {};
  };

  CopyThreads();
  void start();  ///< the threads, once
  void help();
  Job* find_job();
  void work_on(Job& job, std::unique_lock<std::mutex>& lock);

  const int helpers_;
  bool started_ = false;
  std::mutex mutex_;
  std::condition_variable new_job_, helper_left_;
  std::list<Job*> jobs_;
};

}  // namespace tessera::cuda
