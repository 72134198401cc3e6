// SPDX-License-Identifier: Apache-2.0
/// Streams: where and with how much of the machine a plan runs.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "tessera/export.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// Memory borrowed from a stream's pool, returned when it goes out of scope.
///
/// On a device the memory is reused in stream order: returning it while enqueued work still
/// reads it is safe.
class TESSERA_API Scratch {
 public:
  Scratch() = default;
  Scratch(void* data, std::size_t bytes, std::shared_ptr<void> owner)
      : data_(data), bytes_(bytes), owner_(std::move(owner)) {}
  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  std::shared_ptr<void> owner_;
};

/// Everything that changes while a plan runs: scratch memory, threads, the CUDA stream, handles.
/// One thread uses a stream at a time; a plan may run on many streams at once.
class TESSERA_API Stream {
 public:
  /// `threads` 0: as many as the environment allows (OMP_NUM_THREADS, affinity, cgroup).
  /// `memory_limit` 0: a fraction of the free memory. Throws Error(resources) without such a
  /// device.
  explicit Stream(int device = kHost, int threads = 0, std::size_t memory_limit = 0);
  /// A stream on a CUDA stream that somebody else owns (CuPy, torch); 0 is the default stream.
  static Stream borrow(int device, void* cuda_stream);

  int device() const;
  int threads() const;
  std::size_t memory_limit() const;  ///< bytes that pieces in flight may take
  void* cuda_stream() const;         ///< the CUstream; null on the host

  Scratch scratch(std::size_t bytes);         ///< on this stream's device, 256-byte aligned
  Scratch pinned_scratch(std::size_t bytes);  ///< host memory a device copies from at full speed
  void after(const Stream& other);            ///< work enqueued from now on waits for `other`
  void wait();                                ///< returns when everything enqueued is done

  struct Impl;

 private:
  friend class DeviceStream& device_stream(Stream&);
  friend struct CopyLimits copy_limits(const Stream&);
  explicit Stream(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<Impl> impl_;
};

/// This thread's own stream on a device, made on first use.
TESSERA_API Stream& thread_stream(int device = kHost);

}  // namespace tessera
