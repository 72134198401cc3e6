// SPDX-License-Identifier: Apache-2.0
#include "core/device_calls.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <mutex>
#include <utility>

#include "core/cuda/ceilings_args.cuh"
#include "core/device.hpp"
#include "core/kernel.hpp"
#include "core/median_time.hpp"
#include "core/plain_memory.hpp"

namespace tessera {
namespace {

constexpr int kCallRepeats = 9, kCallsARepeat = 100;
constexpr std::size_t kCopySizes[] = {4, 256, 1024, 4096, 16384, 65536};

/// Median seconds of one of `calls` calls; the first repeat is not counted.
template <class Work>
double seconds_a_call(int calls, Work work) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> seconds;
  for (int repeat = 0; repeat <= kCallRepeats; ++repeat) {
    const auto start = Clock::now();
    work(calls);
    const std::chrono::duration<double> taken = Clock::now() - start;
    if (repeat > 0) seconds.push_back(taken.count() / calls);
  }
  return median_time(std::move(seconds)).seconds;
}

struct HeldTimes {
  double allocate = 0, release = 0;
};

/// Many blocks are held at the same time.
template <class Allocate>
HeldTimes held_times(Stream& stream, Allocate allocate) {
  std::vector<decltype(allocate())> held(kCallsARepeat);
  std::vector<double> releases;
  const double both = seconds_a_call(kCallsARepeat, [&](int) {
    for (auto& one : held) one = allocate();
    stream.wait();
    const auto start = std::chrono::steady_clock::now();
    for (auto& one : held) one = {};
    stream.wait();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    releases.push_back(taken.count() / kCallsARepeat);
  });
  releases.erase(releases.begin());
  const double release = median_time(std::move(releases)).seconds;
  return {std::max(0.0, both - release), release};
}

/// Memory of malloc. Reading the pointer as volatile keeps the calls.
class HostBlock {
 public:
  HostBlock() = default;
  explicit HostBlock(std::size_t bytes) : data_(std::malloc(bytes)) {}
  HostBlock(HostBlock&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  HostBlock& operator=(HostBlock&& other) noexcept {
    std::swap(data_, other.data_);
    return *this;
  }
  ~HostBlock() {
    void* volatile data = data_;
    std::free(data);
  }

 private:
  void* data_ = nullptr;
};

SmallCopy copy_times(Stream& stream, std::size_t bytes) {
  const Scratch there = stream.scratch(bytes);
  std::vector<unsigned char> here(bytes, 1);
  const ImageInfo info{{static_cast<int>(bytes), 1}, Type::u8};
  const AnyMutableView host = packed(here.data(), info);
  const AnyMutableView device = packed(there.data(), {info.size, Type::u8, stream.device()});
  const auto copied = [&](AnyView from, AnyMutableView to) {
    return seconds_a_call(kCallsARepeat, [&](int calls) {
      for (int k = 0; k < calls; ++k) {
        device_stream(stream).copy(from, to);
        stream.wait();
      }
    });
  };
  return {bytes, copied(host, device), copied(device, host)};
}

DeviceCalls measured_calls(int device, std::size_t bytes) {
  Stream stream(device);
  DeviceCalls calls;
  // Copies nothing: all of its threads find that they have no word.
  const GpuKernel& kernel = find_kernel(device, {"ceilings", "copy_peak", "", ""});
  const auto launch = [&] { kernel.launch(stream, {1}, {32}, 0, CopyArgs{}); };
  calls.launch = seconds_a_call(kCallsARepeat, [&](int count) {
    for (int k = 0; k < count; ++k) launch();
    stream.wait();
  });
  calls.launch_waited = seconds_a_call(kCallsARepeat, [&](int count) {
    for (int k = 0; k < count; ++k) {
      launch();
      stream.wait();
    }
  });
  const HeldTimes driver = held_times(stream, [&] { return plain_device_memory(device, bytes); });
  const HeldTimes pool = held_times(stream, [&] { return stream.scratch(bytes); });
  const HeldTimes host = held_times(stream, [&] { return HostBlock(bytes); });
  calls.driver_allocate = driver.allocate, calls.driver_release = driver.release;
  calls.pool_allocate = pool.allocate, calls.pool_release = pool.release;
  calls.host_allocate = host.allocate, calls.host_release = host.release;
  for (const std::size_t size : kCopySizes) calls.copies.push_back(copy_times(stream, size));
  return calls;
}

}  // namespace

const DeviceCalls& measure_device_calls(int device, std::size_t bytes) {
  static std::mutex mutex;
  static std::map<std::pair<int, std::size_t>, DeviceCalls> measured;
  const std::lock_guard lock(mutex);
  const std::pair key{device, bytes};
  const auto found = measured.find(key);
  if (found != measured.end()) return found->second;
  return measured.emplace(key, measured_calls(device, bytes)).first->second;
}

}  // namespace tessera
