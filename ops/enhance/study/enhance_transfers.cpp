// SPDX-License-Identifier: Apache-2.0
#include "ops/enhance/study/enhance_transfers.hpp"

#include <chrono>
#include <functional>
#include <vector>

#include "core/device.hpp"
#include "core/median_time.hpp"
#include "core/plain_memory.hpp"
#include "ops/enhance/study/step_args.cuh"

namespace tessera {
namespace {

constexpr int kRuns = 7;

/// What `step` returns is given back after the clock stopped. The first run is not counted: it
/// makes the pages of fresh memory and the ring of copies.
double median_ms(Stream& device, const std::function<Scratch()>& step) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> seconds;
  for (int run = 0; run <= kRuns; ++run) {
    device.wait();
    const auto start = Clock::now();
    const Scratch kept = step();
    device.wait();
    if (run > 0) seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  return 1e3 * median_time(std::move(seconds)).seconds;
}

double copy_ms(Stream& device, AnyView from, AnyMutableView to) {
  return median_ms(device, [&] {
    device_stream(device).copy(from, to);
    return Scratch{};
  });
}

double allocation_ms(Stream& device, long long bytes) {
  return median_ms(device, [&] {
    return plain_device_memory(device.device(), static_cast<std::size_t>(bytes));
  });
}

}  // namespace

std::optional<double> added(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b ? std::optional(*a + *b) : std::nullopt;
}

std::optional<double> ScanTransfers::allocations() const {
  return added(added(grey_allocation, histogram_allocation),
               added(contrast_allocation, smooth_allocation));
}

std::optional<double> ScanTransfers::all_ordinary() const {
  return added(allocations(), added(added(upload_ordinary, counts_download), download_ordinary));
}

std::optional<double> ScanTransfers::copies_pinned() const {
  return added(upload_pinned, download_pinned);
}

ScanTransfers measure_transfers(const EnhanceCase& problem, Stream& device) {
  const long long grey = problem.pixels();
  constexpr long long kCounts = kStepLevels * static_cast<long long>(sizeof(unsigned));
  ScanTransfers t;
  t.grey_allocation = allocation_ms(device, 3 * grey) + allocation_ms(device, grey);
  t.histogram_allocation = allocation_ms(device, kCounts);
  t.contrast_allocation = t.smooth_allocation = allocation_ms(device, grey);

  const AnyView scan = problem.before(EnhanceResult::grey, EnhancePlace::host);
  const AnyMutableView result = problem.out(EnhancePlace::packed);
  Scratch scan_memory, counts_memory;
  const AnyMutableView there = device_view(scan, device, scan_memory);
  std::vector<unsigned> counts(kStepLevels);
  // Views have no type of 32-bit unsigned integers; f32 has as many bytes.
  const ImageInfo counts_info{{kStepLevels, 1}, Type::f32};
  const AnyMutableView counts_here = packed(static_cast<void*>(counts.data()), counts_info);
  const AnyMutableView counts_there = device_view(counts_here, device, counts_memory);
  Image ordinary({result.size.width, result.size.height}, Type::u8);

  t.upload_ordinary = copy_ms(device, scan, there);
  t.upload_pinned = copy_ms(device, problem.pinned_scan(), there);
  t.counts_download = copy_ms(device, counts_there, counts_here);
  t.download_ordinary = copy_ms(device, result, ordinary.view());
  t.download_pinned = copy_ms(device, result, problem.out(EnhancePlace::host));
  return t;
}

}  // namespace tessera
