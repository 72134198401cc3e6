// SPDX-License-Identifier: Apache-2.0
/// A device as the published programs use it, and how their time is divided: kernels, copies,
/// allocation, or none of them.
#pragma once

#include <chrono>
#include <type_traits>

#include "core/device.hpp"
#include "core/graph_loop.hpp"
#include "core/kernel.hpp"
#include "core/plain_memory.hpp"
#include "tessera/stream.hpp"

namespace tessera {

/// Seconds, and the number of kernels launched.
struct TimeSplit {
  double kernels = 0, copies = 0, allocation = 0;
  long long launches = 0;
};

/// Where memory comes from: the driver, which waits for the device, or the pool of the stream.
enum class MemoryFrom { driver, pool };

/// If a split is given, every step is waited for and its time is counted; without one, steps are
/// only enqueued, as far as possible.
class WatchedDevice {
 public:
  WatchedDevice(Stream& stream, TimeSplit* split, MemoryFrom from = MemoryFrom::driver)
      : stream_(stream), split_(split), from_(from) {}

  Scratch allocate(std::size_t bytes) {
    return timed(&TimeSplit::allocation, [&] {
      return from_ == MemoryFrom::pool ? stream_.scratch(bytes)
                                       : plain_device_memory(stream_.device(), bytes);
    });
  }
  void release(Scratch& memory) {
    timed(&TimeSplit::allocation, [&] { memory = {}; });
  }
  /// From host memory that is not page-locked, as in the published programs.
  template <class T>
  void upload(const T* from, std::size_t count, const Scratch& to) {
    timed(&TimeSplit::copies, [&] {
      device_stream(stream_).copy(bytes_on(from, count * sizeof(T), kHost),
                                  bytes_on(to.as<T>(), count * sizeof(T), stream_.device()));
    });
  }
  /// Waits, because the host continues with the data.
  template <class T>
  void download(const Scratch& from, std::size_t count, T* to) {
    timed(&TimeSplit::copies, [&] {
      device_stream(stream_).copy(bytes_on(from.as<const T>(), count * sizeof(T), stream_.device()),
                                  bytes_on(to, count * sizeof(T), kHost));
      stream_.wait();
    });
  }
  template <class Args>
  void launch(const GpuKernel& kernel, unsigned blocks, unsigned threads, const Args& args) {
    timed(&TimeSplit::kernels, [&] { kernel.launch(stream_, {blocks}, {threads}, 0, args); });
    if (split_) ++split_->launches;
  }
  /// With all blocks on the device at once.
  template <class Args>
  void launch_together(const GpuKernel& kernel, unsigned blocks, unsigned threads,
                       const Args& args) {
    timed(&TimeSplit::kernels,
          [&] { kernel.launch_together(stream_, {blocks}, {threads}, 0, args); });
    if (split_) ++split_->launches;
  }

  /// Counts as one launch, as the host makes one.
  void launch(const GraphLoop& loop) {
    timed(&TimeSplit::kernels, [&] { loop.launch(stream_); });
    if (split_) ++split_->launches;
  }
  int device() const { return stream_.device(); }

 private:
  /// Both sides of a copy have this view; the one that is read is not written through it.
  static AnyMutableView bytes_on(const void* data, std::size_t bytes, int device) {
    return packed(const_cast<void*>(data), {{static_cast<int>(bytes), 1}, Type::u8, device});
  }

  using Time = std::chrono::steady_clock::time_point;
  void count(double TimeSplit::*part, Time start) {
    stream_.wait();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    split_->*part += taken.count();
  }
  template <class Work>
  std::invoke_result_t<Work> timed(double TimeSplit::*part, Work work) {
    if (!split_) return work();
    const Time start = std::chrono::steady_clock::now();
    if constexpr (std::is_void_v<std::invoke_result_t<Work>>) {
      work();
      count(part, start);
    } else {
      auto made = work();
      count(part, start);
      return made;
    }
  }

  Stream& stream_;
  TimeSplit* split_;
  MemoryFrom from_;
};

}  // namespace tessera
