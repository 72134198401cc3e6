// SPDX-License-Identifier: Apache-2.0
/// The best speeds of a device; benchmarks are compared with them.
#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "core/cuda/ceilings_args.cuh"
#include "core/cuda/driver.hpp"
#include "core/cuda/open_device.hpp"
#include "core/device.hpp"
#include "core/kernel.hpp"
#include "core/machine.hpp"
#include "core/median_time.hpp"

namespace tessera {
namespace {

constexpr int kRepeats = 9;
constexpr std::size_t kTransferBytes = std::size_t{256} << 20;
constexpr std::size_t kCopyBytes = std::size_t{1} << 30;  // far larger than the L2 cache

// Device time of enqueued work.
template <class Work>
double device_seconds(Stream& stream, Work work) {
  return median_time(time_on_device(stream, {.warm_ups = kRepeats, .repeats = kRepeats}, work))
      .seconds;
}

// Time as the caller sees it: a pageable copy is the host's work as well.
template <class Work>
double host_seconds(Stream& stream, Work work) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> seconds;
  for (int i = -1; i < kRepeats; ++i) {
    const auto start = Clock::now();
    work();
    stream.wait();
    if (i >= 0) seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  return median_time(seconds).seconds;
}

double measure_fma(Stream& stream, const DeviceInfo& info) {
  constexpr unsigned kThreads = 256;
  constexpr int kRounds = 4096;  // 10 ms at 60 TFLOP/s
  const auto blocks = static_cast<unsigned>(info.multiprocessors) * 8;
  const Scratch out = stream.scratch(std::size_t{blocks} * kThreads * sizeof(float));
  const GpuKernel& kernel = find_kernel(info.index, {"ceilings", "fma_peak", "", ""});
  const FmaArgs args{out.as<float>(), 0.999f, 0.001f, kRounds};
  const double seconds =
      device_seconds(stream, [&] { kernel.launch(stream, {blocks}, {kThreads}, 0, args); });
  return 2.0 * FmaKnobs{}.chains * kFmaSteps * kRounds * blocks * kThreads / seconds;
}

// The better of our kernel and the driver's own copy.
double measure_copy(Stream& stream, const DeviceInfo& info) {
  DeviceStream& device = device_stream(stream);
  const std::size_t bytes = std::min(kCopyBytes, device.free_bytes() / 4) & ~std::size_t{0xffff};
  const Scratch from = stream.scratch(bytes), to = stream.scratch(bytes);
  cuda::check(cuda::driver().cuMemsetD8Async(reinterpret_cast<CUdeviceptr>(from.data()), 1, bytes,
                                             static_cast<CUstream>(stream.cuda_stream())),
              "ceilings: filling memory");
  constexpr unsigned kThreads = 256;
  const CopyArgs args{from.data(), to.data(), static_cast<long long>(bytes / 16)};
  const auto blocks = static_cast<unsigned>(bytes / 16 / kThreads / CopyKnobs{}.words);
  const GpuKernel& kernel = find_kernel(info.index, {"ceilings", "copy_peak", "", ""});
  const double own =
      device_seconds(stream, [&] { kernel.launch(stream, {blocks}, {kThreads}, 0, args); });
  const ImageInfo row{{static_cast<int>(bytes), 1}, Type::u8, info.index};
  const AnyMutableView source = packed(from.data(), row), target = packed(to.data(), row);
  const double drivers = device_seconds(stream, [&] { device.copy(source, target); });
  return 2.0 * static_cast<double>(bytes) / std::min(own, drivers);
}

void measure_transfers(Stream& stream, DeviceCeilings& ceilings) {
  const int bytes = static_cast<int>(kTransferBytes);
  const Scratch there = stream.scratch(kTransferBytes);
  std::vector<unsigned char> pageable(kTransferBytes, 1);  // touched: untouched pages read faster
  DeviceStream& device = device_stream(stream);
  const AnyMutableView on_device = packed(there.as<unsigned char>(), {bytes, 1}, stream.device());
  const auto rate = [&](AnyView from, AnyMutableView to) {
    return bytes / host_seconds(stream, [&] { device.copy(from, to); });
  };
  // Its rates stay 0 if the system refuses such memory.
  if (const std::shared_ptr<void> pinned = page_locked_memory(kTransferBytes)) {
    const AnyMutableView fast = packed(static_cast<unsigned char*>(pinned.get()), {bytes, 1});
    ceilings.upload_pinned = rate(fast, on_device);
    ceilings.download_pinned = rate(on_device, fast);
  }
  const AnyMutableView slow = packed(pageable.data(), {bytes, 1});
  ceilings.upload_pageable = rate(slow, on_device);
  ceilings.download_pageable = rate(on_device, slow);
}

DeviceCeilings measure(int device) {
  Stream stream(device);
  const cuda::OpenDevice& opened = cuda::open_device(device);
  const cuda::CurrentContext current(opened.context);
  DeviceCeilings ceilings;
  ceilings.fma_flops = measure_fma(stream, opened.info);
  ceilings.copy_bytes = measure_copy(stream, opened.info);
  measure_transfers(stream, ceilings);
  stream.wait();
  cuda::driver().cuMemPoolTrimTo(opened.pool, 0);  // the buffers were large and are not used again
  return ceilings;
}

}  // namespace

DeviceCeilings measure_device(int device) {
  static std::mutex mutex;
  static std::map<int, DeviceCeilings> measured;
  const std::lock_guard lock(mutex);
  const auto found = measured.find(device);
  return found != measured.end() ? found->second
                                 : measured.emplace(device, measure(device)).first->second;
}

}  // namespace tessera
