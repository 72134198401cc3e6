// SPDX-License-Identifier: Apache-2.0
/// The parts of a DeviceStream. Scratch memory shares the handle, because it is freed in
/// the order of the stream and may outlive the object.
#pragma once

#include <cstddef>
#include <memory>

#include "core/cuda/open_device.hpp"
#include "core/device.hpp"
#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera::cuda {

struct StreamHandle {
  OpenDevice& device;
  CUstream stream = nullptr;
  bool owned = false;

  StreamHandle(OpenDevice& on, CUstream of, bool own) : device(on), stream(of), owned(own) {}
  ~StreamHandle();
  StreamHandle(const StreamHandle&) = delete;
  StreamHandle& operator=(const StreamHandle&) = delete;
};
using StreamPointer = std::shared_ptr<const StreamHandle>;

/// Device memory and page-locked host memory; see DeviceStream.
Scratch device_scratch(const StreamPointer& stream, std::size_t bytes);
Scratch pinned_scratch(const StreamPointer& stream, std::size_t bytes,
                       std::size_t pending_bytes = kPendingPinnedBytes);

/// See DeviceStream::copy.
void enqueue_copy(const StreamPointer& stream, AnyView from, AnyMutableView to,
                  const CopyLimits& limits);

}  // namespace tessera::cuda
