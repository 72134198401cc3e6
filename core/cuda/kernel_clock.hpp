// SPDX-License-Identifier: Apache-2.0
/// The clock of time_kernels (core/kernel_time.hpp), for the places that enqueue kernels.
#pragma once

#include <memory>

#include "core/cuda/driver.hpp"

namespace tessera::cuda {

class KernelClock;

/// Encloses what is enqueued on a stream while it lives, if a clock runs; otherwise does nothing.
/// The context of the device is current.
class KernelMark {
 public:
  /// `held`: the stream waits until the mark ends, so that the time between calls of the driver is
  /// not counted. Not for work that may wait for the device while it is enqueued: calls of
  /// libraries, and the first launch of a kernel, which may load it.
  KernelMark(CUstream stream, bool held);
  KernelMark(const KernelMark&) = delete;
  KernelMark& operator=(const KernelMark&) = delete;
  ~KernelMark();

 private:
  KernelClock* clock_;
  CUstream stream_;
};

}  // namespace tessera::cuda
