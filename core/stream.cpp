// SPDX-License-Identifier: Apache-2.0
#include "tessera/stream.hpp"

#include <algorithm>
#include <map>

#include "core/device.hpp"
#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "tessera/error.hpp"

namespace tessera {

struct Stream::Impl {
  int device = kHost;
  /// 0 on a device if no number was given: counting takes 26 us (Neoverse-N1), and most calls there
  /// never need it.
  int threads = 0;
  std::size_t memory_limit = 0;
  std::unique_ptr<DeviceStream> on_device;
};

Stream::Stream(int device, int threads, std::size_t memory_limit)
    : impl_(std::make_shared<Impl>()) {
  impl_->device = device;
  impl_->threads = threads > 0 || device != kHost ? threads : available_threads();
  impl_->memory_limit = memory_limit;
  if (device == kHost) return;
  impl_->on_device = make_device_stream(device, false, nullptr);
  impl_->on_device->limit_copies(copy_limits(*this));
}

Stream Stream::borrow(int device, void* cuda_stream) {
  auto impl = std::make_shared<Impl>();
  impl->device = device;
  impl->on_device = make_device_stream(device, true, cuda_stream);
  return Stream(std::move(impl));
}

CopyLimits copy_limits(const Stream& stream) {
  const Stream::Impl& own = *stream.impl_;
  CopyLimits limits{.threads = own.threads};
  if (own.memory_limit > 0) limits.ring_bytes = std::min(limits.ring_bytes, own.memory_limit / 4);
  return limits;
}

int Stream::device() const { return impl_->device; }
int Stream::threads() const { return impl_->threads > 0 ? impl_->threads : available_threads(); }
void* Stream::cuda_stream() const {
  return impl_->on_device ? impl_->on_device->native() : nullptr;
}

std::size_t Stream::memory_limit() const {
  if (impl_->memory_limit > 0) return impl_->memory_limit;
  // The rest is left to the caller's own images, the page cache and other programs.
  return impl_->on_device ? impl_->on_device->free_bytes() / 5 * 4
                          : recently_available_memory() / 2;
}

Scratch Stream::scratch(std::size_t bytes) {
  return impl_->on_device ? impl_->on_device->scratch(bytes) : host_scratch(bytes);
}
Scratch Stream::pinned_scratch(std::size_t bytes) {
  return impl_->on_device ? impl_->on_device->pinned_scratch(bytes) : host_scratch(bytes);
}

void Stream::after(const Stream& other) {
  // Host streams finish everything before they return: there is nothing to wait for.
  if (!other.impl_->on_device) return;
  if (impl_->on_device)
    impl_->on_device->after(*other.impl_->on_device);
  else
    other.impl_->on_device->wait();
}

void Stream::wait() {
  if (impl_->on_device) impl_->on_device->wait();
}

DeviceStream& device_stream(Stream& stream) {
  if (!stream.impl_->on_device)
    throw Error(ErrorKind::usage, "stream: it is on the host; a stream on a device is needed");
  return *stream.impl_->on_device;
}

Stream& thread_stream(int device) {
  thread_local std::map<int, Stream> streams;
  const auto found = streams.find(device);
  if (found != streams.end()) return found->second;
  return streams.emplace(device, Stream(device)).first->second;
}

}  // namespace tessera
