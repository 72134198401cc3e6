// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "core/cuda/driver.hpp"

namespace tessera::cuda {

/// A mark in a stream, to order or time work by. The context it belongs to must be current.
class Event {
 public:
  explicit Event(unsigned flags = CU_EVENT_DISABLE_TIMING) {
    check(driver().cuEventCreate(&handle_, flags), "stream: making an event");
  }
  ~Event() {
    if (handle_) driver().cuEventDestroy(handle_);
  }
  Event(Event&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  CUevent handle() const { return handle_; }
  void record(CUstream stream) {
    check(driver().cuEventRecord(handle_, stream), "stream: recording an event");
  }
  bool is_done() const {
    const CUresult result = driver().cuEventQuery(handle_);
    if (result != CUDA_ERROR_NOT_READY) check(result, "stream: asking for enqueued work");
    return result == CUDA_SUCCESS;
  }
  void wait() const {
    check(driver().cuEventSynchronize(handle_), "stream: waiting for enqueued work");
  }

 private:
  CUevent handle_ = nullptr;
};

/// Marks that are kept for reuse: making 32 for a copy would take longer than sending a chunk.
class EventPool {
 public:
  explicit EventPool(unsigned flags) : flags_(flags) {}

  std::vector<Event> take(std::size_t count) {
    std::vector<Event> events;
    events.reserve(count);
    {
      const std::lock_guard lock(mutex_);
      for (; events.size() < count && !idle_.empty(); idle_.pop_back())
        events.push_back(std::move(idle_.back()));
    }
    while (events.size() < count) events.emplace_back(flags_);
    return events;
  }
  void give_back(std::vector<Event>& events) noexcept {
    const std::lock_guard lock(mutex_);
    try {
      idle_.reserve(idle_.size() + events.size());
      for (Event& event : events) idle_.push_back(std::move(event));
    } catch (const std::bad_alloc&) {  // the events are destroyed instead
    }
  }

 private:
  const unsigned flags_;
  std::mutex mutex_;
  std::vector<Event> idle_;
};

}  // namespace tessera::cuda
