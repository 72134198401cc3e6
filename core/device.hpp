// SPDX-License-Identifier: Apache-2.0
/// The interface between the core and CUDA: everything the other rooms need from a device. It has
/// no CUDA headers. core/cuda implements it; core/device_none.cpp replaces it if CUDA is not built
/// in.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/link_rates.hpp"
#include "core/machine.hpp"
#include "tessera/image.hpp"
#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// The available devices; if there are none, `reason` says why in a few words.
std::vector<DeviceInfo> find_devices(std::string& reason);

/// How much of the machine copies of ordinary host memory may take.
struct CopyLimits {
  std::size_t ring_bytes = std::size_t{256} << 20;  ///< page-locked memory
  int threads = 0;                                  ///< 0: as many as are useful
  std::size_t chunk_bytes = 0;                      ///< 0: by the size of the copy
};

/// The device half of a Stream.
class DeviceStream {
 public:
  virtual ~DeviceStream() = default;
  virtual void* native() const = 0;
  virtual Scratch scratch(std::size_t bytes) = 0;
  virtual Scratch pinned_scratch(std::size_t bytes) = 0;
  virtual void after(const DeviceStream& other) = 0;
  virtual void wait() = 0;
  /// Enqueues a copy; one side is on the host, the other on this device, or both are on the device.
  /// Sizes and types agree. A pageable host side is copied before the call returns.
  virtual void copy(AnyView from, AnyMutableView to) = 0;
  virtual void limit_copies(const CopyLimits& limits) = 0;
  virtual std::size_t free_bytes() const = 0;
  virtual std::size_t pool_bytes() const = 0;  ///< bytes in this process's pool, used or not
};

/// On a new CUDA stream, or on one that the caller owns. Throws Error(resources) that names the
/// existing devices.
std::unique_ptr<DeviceStream> make_device_stream(int device, bool borrowed, void* cuda_stream);

/// The limits that a stream was made with.
CopyLimits copy_limits(const Stream& stream);

/// The device half of a stream that has one.
DeviceStream& device_stream(Stream& stream);

/// A packed view on the stream's device, of the size and type of another; `memory` is allocated to
/// hold its samples.
inline AnyMutableView device_view(const AnyView& like, Stream& stream, Scratch& memory) {
  ImageInfo info = like.info();
  info.device = stream.device();
  memory = stream.scratch(static_cast<std::size_t>(bytes_of(info)));
  return packed(memory.data(), info);
}

/// Page-locked memory from a pool, for all devices; null if there is no device, the system refuses,
/// or `bytes` is 0.
std::shared_ptr<void> page_locked_memory(std::size_t bytes);

/// The rates of copies of ordinary host memory, measured in some milliseconds. Throws Error.
LinkRates measure_link(int device);

/// Returns memory that waits for reuse, on all devices in use and page-locked for them.
void free_idle_device_memory();

/// How enqueued work is timed on the device. The first runs load kernels and raise the clocks.
struct DeviceTiming {
  int warm_ups = 9, repeats = 9;
  int calls = 1;  ///< per repeat: more if one takes microseconds
};

/// Seconds per call, by the device's own clock, one figure per repeat. Waits for the stream.
std::vector<double> time_on_device(Stream& stream, const DeviceTiming& timing,
                                   const std::function<void()>& enqueue);

/// Versions of driver and run-time compiler, for `tessera info`; empty without CUDA.
struct DeviceVersions {
  std::string built_with, driver, nvrtc;
};
DeviceVersions device_versions();

}  // namespace tessera
