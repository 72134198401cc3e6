// SPDX-License-Identifier: Apache-2.0
/// Copies between host and device. Page-locked and device memory is copied in place; anything else
/// passes through a ring of page-locked chunks that many threads fill or empty.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/cuda/copy_threads.hpp"
#include "core/cuda/event.hpp"
#include "core/cuda/stream_handle.hpp"
#include "core/pools.hpp"
#include "tessera/error.hpp"
#include "tessera/image.hpp"

namespace tessera::cuda {
namespace {

// A chunk of 2 MiB takes 40 us over PCIe 5, which hides the cost of its launch; small copies are
// cut smaller, so that all threads take part.
constexpr long long kMostChunkBytes = 2LL << 20, kLeastChunkBytes = 256LL << 10;
constexpr std::size_t kMostRingBytes = std::size_t{256} << 20;
/// A thread that waits for it sleeps, and leaves its core to those that copy.
constexpr unsigned kSleepingEvent = CU_EVENT_DISABLE_TIMING | CU_EVENT_BLOCKING_SYNC;

template <class AnyOne>
bool pixels_side_by_side(const AnyOne& view) {
  return view.pixel == view.size.channels || view.size.width == 1;
}

CUdeviceptr device_address(const void* data) { return reinterpret_cast<CUdeviceptr>(data); }

// For the plural form, memory that CUDA does not know is not an error: its type stays 0.
bool is_pageable(const void* data) {
  CUmemorytype type{};
  CUpointer_attribute wanted = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
  void* answers[] = {&type};
  const CUresult result =
      driver().cuPointerGetAttributes(1, &wanted, answers, device_address(data));
  return result != CUDA_SUCCESS || type == CUmemorytype{};
}

void copy_bytes(CUstream stream, const AnyView& from, const AnyMutableView& to, int row,
                std::size_t bytes) {
  const void* source = from.address(0, row);
  void* target = to.address(0, row);
  const Driver& d = driver();
  if (from.device == kHost)
    check(d.cuMemcpyHtoDAsync(device_address(target), source, bytes, stream),
          "copy: to the device");
  else if (to.device == kHost)
    check(d.cuMemcpyDtoHAsync(target, device_address(source), bytes, stream),
          "copy: from the device");
  else
    check(d.cuMemcpyDtoDAsync(device_address(target), device_address(source), bytes, stream),
          "copy: on the device");
}

void copy_rows(CUstream stream, const AnyView& from, const AnyMutableView& to,
               std::size_t row_bytes) {
  const auto sample = static_cast<std::size_t>(bytes_of(from.type));
  CUDA_MEMCPY2D plan{};
  plan.srcMemoryType = from.device == kHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  plan.srcHost = from.device == kHost ? from.data : nullptr;
  plan.srcDevice = from.device == kHost ? 0 : device_address(from.data);
  plan.srcPitch = static_cast<std::size_t>(from.row) * sample;
  plan.dstMemoryType = to.device == kHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  plan.dstHost = to.device == kHost ? to.data : nullptr;
  plan.dstDevice = to.device == kHost ? 0 : device_address(to.data);
  plan.dstPitch = static_cast<std::size_t>(to.row) * sample;
  plan.WidthInBytes = row_bytes;
  plan.Height = static_cast<std::size_t>(from.size.height);
  check(driver().cuMemcpy2DAsync(&plan, stream), "copy: rows");
}

// One plane in place; both sides have their pixels side by side.
void copy_plane(const StreamHandle& handle, const AnyView& from, const AnyMutableView& to) {
  const long long samples = 1LL * from.size.width * from.size.channels,
                  sample = bytes_of(from.type);
  const auto row_bytes = static_cast<std::size_t>(samples * sample);
  const int rows = from.size.height;
  if (rows == 1 || (from.row == samples && to.row == samples))
    return copy_bytes(handle.stream, from, to, 0, row_bytes * static_cast<std::size_t>(rows));
  const auto max_step = static_cast<long long>(handle.device.max_pitch) / sample;
  const auto fits = [&](long long step) { return step >= samples && step <= max_step; };
  if (fits(from.row) && fits(to.row)) return copy_rows(handle.stream, from, to, row_bytes);
  for (int y = 0; y < rows; ++y) copy_bytes(handle.stream, from, to, y, row_bytes);
}

void copy_in_place(const StreamHandle& handle, const AnyView& from, const AnyMutableView& to) {
  for (int p = 0; p < from.size.planes; ++p)
    copy_plane(handle, from.only_plane(p), to.only_plane(p));
}

struct Chunk {
  int plane, x, y, width, height;

  template <class AnyOne>
  AnyOne of(const AnyOne& view) const {
    return view.only_plane(plane).region(x, y, width, height);
  }
};

/// How a copy is cut: whole rows, or parts of one if a row is longer than a chunk.
class Chunks {
 public:
  Chunks(const ImageInfo& info, const CopyLimits& limits) : info_(info) {
    const int most = CopyThreads::instance().size();
    threads_ = limits.threads > 0 ? std::min(limits.threads, most) : most;
    // Half of the ring is being filled or emptied, half is on its way.
    const auto ring = static_cast<long long>(std::min(limits.ring_bytes, kMostRingBytes));
    threads_ = static_cast<int>(std::clamp(ring / 2 / kLeastChunkBytes, 1LL, 1LL * threads_));
    const long long share = std::min(bytes_of(info), ring / 2) / threads_;
    const long long chunk = limits.chunk_bytes > 0
                                ? static_cast<long long>(limits.chunk_bytes)
                                : std::clamp(share, kLeastChunkBytes, kMostChunkBytes);
    pending_bytes_ = static_cast<std::size_t>(chunk * threads_);
    const long long pixel = 1LL * info.size.channels * bytes_of(info.type);
    const long long row = pixel * info.size.width;
    width_ = static_cast<int>(std::clamp<long long>(chunk / pixel, 1, info.size.width));
    height_ = static_cast<int>(std::clamp<long long>(chunk / row, 1, info.size.height));
    across_ = (info.size.width + width_ - 1) / width_;
    down_ = (info.size.height + height_ - 1) / height_;
    bytes_ = static_cast<std::size_t>(pixel * width_ * height_);
  }

  int threads() const { return threads_; }
  std::size_t bytes() const { return bytes_; }  ///< of the largest chunk
  std::size_t pending_bytes() const { return pending_bytes_; }
  int count() const { return info_.size.planes * down_ * across_; }
  Chunk at(int index) const {
    const int x = index % across_ * width_, y = index / across_ % down_ * height_;
    return {index / across_ / down_, x, y, std::min(width_, info_.size.width - x),
            std::min(height_, info_.size.height - y)};
  }
  AnyMutableView packed_in(const Scratch& stage, const Chunk& chunk) const {
    return packed(
        stage.data(),
        ImageInfo{{chunk.width, chunk.height, info_.size.channels, 1}, info_.type, kHost});
  }

 private:
  ImageInfo info_;
  int threads_ = 1, width_ = 1, height_ = 1, across_ = 1, down_ = 1;
  std::size_t bytes_ = 0, pending_bytes_ = 0;
};

/// Page-locked memory for a chunk. If the system refuses it, ordinary memory, which the driver
/// copies through pages of its own, slowly: it has read or written it all when its call returns.
Scratch chunk_memory(const StreamPointer& stream, const Chunks& chunks) {
  try {
    return pinned_scratch(stream, chunks.bytes(), chunks.pending_bytes());
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::resources) throw;
    return host_scratch(chunks.bytes());
  }
}

// A chunk's memory is reused only when its copy is done (PinnedPool).
void upload(const StreamPointer& stream, const AnyView& from, const AnyMutableView& to,
            const CopyLimits& limits) {
  const Chunks chunks(from.info(), limits);
  CopyThreads::instance().run(chunks.count(), chunks.threads(), [&](int index) {
    const CurrentContext current(stream->device.context);
    const Chunk chunk = chunks.at(index);
    const Scratch stage = chunk_memory(stream, chunks);
    const AnyMutableView staged = chunks.packed_in(stage, chunk);
    copy_samples(chunk.of(from), staged);
    copy_plane(*stream, staged, chunk.of(to));
  });
}

void download(const StreamPointer& stream, const AnyView& from, const AnyMutableView& to,
              const CopyLimits& limits) {
  const Chunks chunks(from.info(), limits);
  // Only this thread waits for the work before the copy: the others serve other copies meanwhile.
  if (chunks.count() > 1) {
    Event made(kSleepingEvent);
    made.record(stream->stream);
    made.wait();
  }
  CopyThreads::instance().run(chunks.count(), chunks.threads(), [&](int index) {
    const CurrentContext current(stream->device.context);
    const Chunk chunk = chunks.at(index);
    const Scratch stage = chunk_memory(stream, chunks);
    const AnyMutableView staged = chunks.packed_in(stage, chunk);
    Event arrived(kSleepingEvent);
    copy_plane(*stream, chunk.of(from), staged);
    arrived.record(stream->stream);
    arrived.wait();
    copy_samples(staged, chunk.of(to));
  });
}

// Many small planes are copied as one: as a tall plane if they follow each other as rows do; if the
// rows within each are contiguous, as in a strip of a cube, each becomes a row.
void join_planes(AnyView& from, AnyMutableView& to) {
  const auto both = [&](auto holds) { return holds(from) && holds(to); };
  const auto join = [&](long long width, long long height) {
    constexpr int kMost = std::numeric_limits<int>::max();
    if (width > kMost || height > kMost) return;
    for (Size* size : {&from.size, &to.size})
      *size = {static_cast<int>(width), static_cast<int>(height), size->channels, 1};
  };
  const Size all = from.size;
  if (all.planes == 1) return;
  if (both([](const auto& v) { return v.plane == v.row * v.size.height; }))
    return join(all.width, 1LL * all.height * all.planes);
  if (!both([](const auto& v) { return v.row == v.pixel * v.size.width; })) return;
  join(1LL * all.width * all.height, all.planes);
  if (from.size == all) return;
  from.row = from.plane;
  to.row = to.plane;
}

void check_sides(const OpenDevice& device, const AnyView& from, const AnyMutableView& to) {
  if (from.size != to.size || from.type != to.type)
    throw Error(ErrorKind::failure, "copy: the two views differ in size or type");
  const auto here = [&](int side) { return side == device.info.index; };
  const auto known = [&](int side) { return side == kHost || here(side); };
  if (!known(from.device) || !known(to.device) || (!here(from.device) && !here(to.device)))
    throw Error(ErrorKind::usage,
                fmt::format("copy: from device {} to {} on a stream of {}; one side must be on it, "
                            "the other on it or on the host (-1)",
                            from.device, to.device, device.name()));
  const auto odd = [&](const auto& view) {
    return here(view.device) && !pixels_side_by_side(view);
  };
  if (odd(from) || odd(to))
    throw Error(ErrorKind::usage,
                fmt::format("copy: the pixels on {} lie {} samples apart and have {}; on a device "
                            "they must lie side by side",
                            device.name(), odd(from) ? from.pixel : to.pixel, from.size.channels));
}

}  // namespace

void enqueue_copy(const StreamPointer& stream, AnyView from, AnyMutableView to,
                  const CopyLimits& limits) {
  check_sides(stream->device, from, to);
  if (from.size.empty()) return;
  const CurrentContext current(stream->device.context);
  join_planes(from, to);
  const auto staged = [](const auto& view) {
    return view.device == kHost && (!pixels_side_by_side(view) || is_pageable(view.data));
  };
  if (staged(from)) return upload(stream, from, to, limits);
  if (staged(to)) return download(stream, from, to, limits);
  copy_in_place(*stream, from, to);
}

}  // namespace tessera::cuda
