// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <exception>

#include "core/cuda/event.hpp"
#include "core/cuda/stream_handle.hpp"
#include "core/device.hpp"
#include "core/pools.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace cuda {
namespace {

// Destructors must not throw. Failures here mean that the process ends or the device is
// lost; either frees the memory.
template <class Work>
void quietly(CUcontext context, Work work) noexcept {
  try {
    const CurrentContext current(context);
    work();
  } catch (const std::exception&) {  // without memory, Error cannot even say so
  }
}

CUdeviceptr allocate(const StreamHandle& handle, std::size_t bytes) {
  CUdeviceptr data = 0;
  CUresult result = driver().cuMemAllocAsync(&data, bytes, handle.stream);
  if (result == CUDA_ERROR_OUT_OF_MEMORY) {
    // Memory that other streams returned becomes free when they are done; we can only wait for
    // our own.
    driver().cuStreamSynchronize(handle.stream);
    driver().cuMemPoolTrimTo(handle.device.pool, 0);
    result = driver().cuMemAllocAsync(&data, bytes, handle.stream);
  }
  if (result == CUDA_ERROR_OUT_OF_MEMORY)
    throw Error(ErrorKind::resources,
                fmt::format("stream: needs {} on {}; {} is free; give a smaller "
                            "memory limit or backend cpu",
                            bytes_text(static_cast<double>(bytes)), handle.device.name(),
                            bytes_text(static_cast<double>(handle.device.free_bytes()))));
  if (result != CUDA_SUCCESS) check(result, handle.device.name() + ": allocating memory");
  return data;
}

class CudaStream final : public DeviceStream {
 public:
  explicit CudaStream(StreamPointer handle) : handle_(std::move(handle)) {}

  void* native() const override { return handle_->stream; }
  Scratch scratch(std::size_t bytes) override { return device_scratch(handle_, bytes); }
  Scratch pinned_scratch(std::size_t bytes) override {
    return cuda::pinned_scratch(handle_, bytes);
  }
  void after(const DeviceStream& other) override;
  void wait() override;
  void copy(AnyView from, AnyMutableView to) override { enqueue_copy(handle_, from, to, limits_); }
  void limit_copies(const CopyLimits& limits) override { limits_ = limits; }
  std::size_t free_bytes() const override { return handle_->device.free_bytes(); }
  std::size_t pool_bytes() const override { return handle_->device.pool_bytes(); }

 private:
  StreamPointer handle_;
  CopyLimits limits_;
};

// An event belongs to the device it is recorded on; a stream of another device may wait for it.
void CudaStream::after(const DeviceStream& other) {
  const StreamHandle& earlier = *static_cast<const CudaStream&>(other).handle_;
  if (earlier.stream == handle_->stream && &earlier.device == &handle_->device) return;
  const CurrentContext current(earlier.device.context);
  Event done;
  done.record(earlier.stream);
  const CurrentContext mine(handle_->device.context);
  check(driver().cuStreamWaitEvent(handle_->stream, done.handle(), CU_EVENT_WAIT_DEFAULT),
        "stream: waiting for another stream");
}

void CudaStream::wait() {
  const CurrentContext current(handle_->device.context);
  const CUresult result = driver().cuStreamSynchronize(handle_->stream);
  if (result != CUDA_SUCCESS) check(result, handle_->device.name() + ": running enqueued work");
}

}  // namespace

StreamHandle::~StreamHandle() {
  if (owned) quietly(device.context, [this] { driver().cuStreamDestroy(stream); });
}

Scratch device_scratch(const StreamPointer& stream, std::size_t bytes) {
  if (bytes == 0) return {};
  const CurrentContext current(stream->device.context);
  const CUdeviceptr data = allocate(*stream, bytes);
  void* const pointer = reinterpret_cast<void*>(data);
  return {pointer, bytes, std::shared_ptr<void>(pointer, [stream, data](void*) {
            quietly(stream->device.context, [&] { driver().cuMemFreeAsync(data, stream->stream); });
          })};
}

Scratch pinned_scratch(const StreamPointer& stream, std::size_t bytes, std::size_t pending_bytes) {
  if (bytes == 0) return {};
  const CurrentContext current(stream->device.context);
  const PinnedBlock block = stream->device.pinned.take(bytes, pending_bytes);
  return {block.data, bytes, std::shared_ptr<void>(block.data, [stream, block](void*) {
            quietly(stream->device.context,
                    [&] { stream->device.pinned.give_back(block, stream->stream); });
          })};
}

}  // namespace cuda

std::shared_ptr<void> page_locked_memory(std::size_t bytes) {
  std::string reason;
  if (bytes == 0 || find_devices(reason).empty()) return nullptr;
  cuda::OpenDevice& device = cuda::open_device(0);
  const cuda::CurrentContext current(device.context);
  cuda::PinnedBlock block;
  try {
    block = device.pinned.take(bytes);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::resources) throw;
    return nullptr;
  }
  // Calls of this library wait for their copies, so the default stream stands for all others.
  return {block.data, [&device, block](void*) {
            cuda::quietly(device.context, [&] { device.pinned.give_back(block, nullptr); });
          }};
}

std::unique_ptr<DeviceStream> make_device_stream(int device, bool borrowed, void* cuda_stream) {
  cuda::OpenDevice& opened = cuda::open_device(device);
  auto stream = static_cast<CUstream>(cuda_stream);
  if (!borrowed) {
    const cuda::CurrentContext current(opened.context);
    cuda::check(cuda::driver().cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING),
                opened.name() + ": making a stream");
  }
  return std::make_unique<cuda::CudaStream>(
      std::make_shared<const cuda::StreamHandle>(opened, stream, !borrowed));
}

}  // namespace tessera
