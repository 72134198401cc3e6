// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/copy_threads.hpp"

#include <algorithm>
#include <exception>
#include <thread>

#include "core/parallel.hpp"

namespace tessera::cuda {
namespace {

/// Enough for two copies at once, each with the threads that it uses (kMostThreads in
/// staged_copy.cpp), two of which talk to the driver.
constexpr int kMostThreads = 20;

}  // namespace

CopyThreads& CopyThreads::instance() {
  // Never destroyed: its threads sleep until the process ends.
  static CopyThreads& threads = *new CopyThreads;
  return threads;
}

CopyThreads::CopyThreads()
    : helpers_(std::clamp(available_threads() * 5 / 4, 1, kMostThreads) - 1) {}

void CopyThreads::start() {
  if (started_) return;
  started_ = true;
  for (int i = 0; i < helpers_; ++i) try {
      std::thread([this] { help(); }).detach();
    } catch (const std::exception&) {  // no thread, or no memory for one
      return;                          // the others, or the caller alone, do the work
    }
}

void CopyThreads::help() {
  std::unique_lock lock(mutex_);
  for (;;) {
    Job* job = nullptr;
    new_job_.wait(lock, [&] { return (job = find_job()) != nullptr; });
    --job->room;
    ++job->helpers;
    lock.unlock();
    job->help();
    lock.lock();
    --job->helpers;
    helper_left_.notify_all();
  }
}

/// The job with the fewest helpers that takes one more.
CopyThreads::Job* CopyThreads::find_job() {
  Job* found = nullptr;
  for (Job* job : jobs_)
    if (job->room > 0 && (!found || job->helpers < found->helpers)) found = job;
  return found;
}

void CopyThreads::run(int threads, const std::function<void()>& help,
                      const std::function<void()>& lead) {
  Job job{std::min(threads, size()) - 1, help};
  if (job.room < 1) return lead();
  std::unique_lock lock(mutex_);
  start();
  jobs_.push_back(&job);
  const int wanted = job.room;
  lock.unlock();
  for (int i = 0; i < wanted; ++i) new_job_.notify_one();
  std::exception_ptr failure;
  try {
    lead();
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  jobs_.remove(&job);
  helper_left_.wait(lock, [&] { return job.helpers == 0; });
  if (failure) std::rethrow_exception(failure);
}

}  // namespace tessera::cuda
