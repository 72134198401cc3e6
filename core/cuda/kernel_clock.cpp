// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/kernel_clock.hpp"

#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "core/cuda/event.hpp"
#include "core/cuda/open_device.hpp"
#include "core/kernel_time.hpp"

namespace tessera {
namespace cuda {
namespace {

constexpr std::size_t kMostMarks = 2048;  // then their times are read and the events used again

std::atomic<KernelClock*> running = nullptr;

/// A word in page-locked memory that a stream can wait for. Kept as long as the process.
unsigned* gate_word() {
  static unsigned* const word = [] {
    void* memory = nullptr;
    if (driver().cuMemHostAlloc(&memory, sizeof(unsigned),
                                CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP) !=
        CUDA_SUCCESS)
      return static_cast<unsigned*>(nullptr);
    return new (memory) unsigned(0);
  }();
  return word;
}

}  // namespace

/// One thread enqueues a mark at a time.
class KernelClock {
 public:
  KernelClock() { marks_.reserve(kMostMarks); }

  void begin(CUstream stream, bool held) {
    mutex_.lock();
    try {
      if (used_ == kMostMarks) read();
      if (used_ == marks_.size())
        marks_.emplace_back(Event(CU_EVENT_DEFAULT), Event(CU_EVENT_DEFAULT));
      if (held) hold(stream);
      marks_[used_].first.record(stream);
    } catch (...) {
      release();
      mutex_.unlock();
      throw;
    }
  }

  /// A mark that cannot be ended is not counted; the launch itself reports what is wrong.
  void end(CUstream stream) noexcept {
    if (driver().cuEventRecord(marks_[used_].second.handle(), stream) == CUDA_SUCCESS) ++used_;
    release();
    mutex_.unlock();
  }

  KernelTime total() {
    const std::lock_guard lock(mutex_);
    read();
    return total_;
  }

 private:
  // Without such waits on this device the time between calls of the driver is counted too.
  void hold(CUstream stream) {
    unsigned* const word = gate_word();
    if (!word) return;
    ++turn_;
    held_ = driver().cuStreamWaitValue32(stream, reinterpret_cast<CUdeviceptr>(word), turn_,
                                         CU_STREAM_WAIT_VALUE_GEQ) == CUDA_SUCCESS;
  }
  void release() noexcept {
    if (held_) std::atomic_ref(*gate_word()).store(turn_);
    held_ = false;
  }

  void read() {
    for (std::size_t k = 0; k < used_; ++k) {
      float milliseconds = 0;
      marks_[k].second.wait();
      check(driver().cuEventElapsedTime(&milliseconds, marks_[k].first.handle(),
                                        marks_[k].second.handle()),
            "kernel: timing");
      total_.seconds += 1e-3 * milliseconds;
    }
    total_.launches += static_cast<long long>(used_);
    used_ = 0;
  }

  std::mutex mutex_;
  std::vector<std::pair<Event, Event>> marks_;
  std::size_t used_ = 0;
  KernelTime total_;
  bool held_ = false;
  /// Kept from clock to clock: the word keeps its value, too.
  static inline unsigned turn_ = 0;
};

KernelMark::KernelMark(CUstream stream, bool held) : clock_(running), stream_(stream) {
  if (clock_) clock_->begin(stream, held);
}
KernelMark::~KernelMark() {
  if (clock_) clock_->end(stream_);
}

namespace {

/// Runs while it lives. Its events belong to the context that is current.
class ScopedKernelClock {
 public:
  ScopedKernelClock() { running = &clock_; }
  ScopedKernelClock(const ScopedKernelClock&) = delete;
  ScopedKernelClock& operator=(const ScopedKernelClock&) = delete;
  ~ScopedKernelClock() { running = nullptr; }
  KernelTime total() { return clock_.total(); }

 private:
  KernelClock clock_;
};

}  // namespace
}  // namespace cuda

KernelTime time_kernels(Stream& stream, const std::function<void()>& work) {
  const cuda::CurrentContext current(cuda::open_device(stream.device()).context);
  cuda::ScopedKernelClock clock;
  work();
  stream.wait();
  return clock.total();
}

}  // namespace tessera
