// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/copy_threads.hpp"

#include <algorithm>
#include <exception>
#include <thread>

#include "core/parallel.hpp"

namespace tessera::cuda {
namespace {

/// By the specification 16 threads feed a PCIe 5 link, and 8 nearly do.
constexpr int kMostThreads = 16;

}  // namespace

CopyThreads& CopyThreads::instance() {
  // Never destroyed: its threads sleep until the process ends.
  static CopyThreads& threads = *new CopyThreads;
  return threads;
}

CopyThreads::CopyThreads() : helpers_(std::clamp(available_threads(), 1, kMostThreads) - 1) {}

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
    work_on(*job, lock);
    --job->helpers;
    ++job->room;
    helper_left_.notify_all();
  }
}

/// The job with the fewest helpers that has work left and takes one more.
CopyThreads::Job* CopyThreads::find_job() {
  Job* found = nullptr;
  for (Job* job : jobs_)
    if (job->room > 0 && job->next < job->count && (!found || job->helpers < found->helpers))
      found = job;
  return found;
}

/// Chunks are large: the lock is taken for microseconds between them.
void CopyThreads::work_on(Job& job, std::unique_lock<std::mutex>& lock) {
  while (job.next < job.count) {
    const int index = job.next++;
    lock.unlock();
    std::exception_ptr failure;
    try {
      job.work(index);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (!failure) continue;
    if (!job.failure) job.failure = failure;
    job.next = job.count;
  }
}

void CopyThreads::run(int count, int threads, const std::function<void(int)>& work) {
  Job job{count, std::min({threads, size(), count}) - 1, work};
  std::unique_lock lock(mutex_);
  if (job.room > 0) {
    start();
    jobs_.push_back(&job);
    new_job_.notify_all();
  }
  work_on(job, lock);
  jobs_.remove(&job);
  helper_left_.wait(lock, [&] { return job.helpers == 0; });
  if (job.failure) std::rethrow_exception(job.failure);
}

}  // namespace tessera::cuda
