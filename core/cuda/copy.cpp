// SPDX-License-Identifier: Apache-2.0
/// Copies between host and device. Page-locked and device memory is copied in place, anything else
/// through page-locked chunks (staged_copy.hpp).
#include <fmt/format.h>

#include <limits>

#include "core/cuda/staged_copy.hpp"
#include "core/cuda/stream_handle.hpp"
#include "tessera/error.hpp"

namespace tessera::cuda {
namespace {

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

}  // namespace

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

namespace {

void copy_in_place(const StreamHandle& handle, const AnyView& from, const AnyMutableView& to) {
  for (int p = 0; p < from.size.planes; ++p)
    copy_plane(handle, from.only_plane(p), to.only_plane(p));
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
  if (staged(from)) return staged_upload(stream, from, to, limits);
  if (staged(to)) return staged_download(stream, from, to, limits);
  copy_in_place(*stream, from, to);
}

}  // namespace tessera::cuda
