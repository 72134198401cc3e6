// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

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
  void wait() const {
    check(driver().cuEventSynchronize(handle_), "stream: waiting for enqueued work");
  }

 private:
  CUevent handle_ = nullptr;
};

}  // namespace tessera::cuda
