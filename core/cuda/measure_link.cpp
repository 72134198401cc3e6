// SPDX-License-Identifier: Apache-2.0
// The rates of copies of ordinary host memory, in milliseconds: the first automatic choice waits.
#include <algorithm>
#include <chrono>
#include <limits>
#include <vector>

#include "core/device.hpp"
#include "tessera/stream.hpp"

namespace tessera {
namespace {

/// Large enough for all copy threads, small enough for 7 GB/s.
constexpr int kLinkBytes = 32 << 20;
constexpr int kTries = 5;

}  // namespace

LinkRates measure_link(int device) {
  using Clock = std::chrono::steady_clock;
  Stream stream(device);
  DeviceStream& copies = device_stream(stream);
  std::vector<unsigned char> memory(kLinkBytes, 1);
  const Scratch there = stream.scratch(kLinkBytes);
  const AnyMutableView here = packed(memory.data(), {kLinkBytes, 1}),
                       on_device = packed(there.as<unsigned char>(), {kLinkBytes, 1}, device);
  // The best of some: a busy moment must not be kept for good. The first one makes the ring.
  const auto rate = [&](AnyView from, AnyMutableView to) {
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i <= kTries; ++i) {
      const auto start = Clock::now();
      copies.copy(from, to);
      stream.wait();
      best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
    }
    return kLinkBytes / best;
  };
  const double up = rate(here, on_device);
  return {up, rate(on_device, here), true};
}

}  // namespace tessera
