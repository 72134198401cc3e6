// SPDX-License-Identifier: Apache-2.0
#include "study/study_loops.hpp"

#include <algorithm>
#include <cmath>

#include "core/kernel_time.hpp"
#include "study/study_threads.hpp"

namespace tessera {
namespace {

constexpr double kBatchSeconds = 1e-3;  // events resolve half a microsecond
constexpr double kPatience = 2;         // seconds for timing a rung besides the run that tested it
constexpr int kMostCalls = 64, kBatches = 11;

template <class T>
std::optional<T> known(T value) {
  return value > 0 ? std::optional<T>(value) : std::nullopt;
}

}  // namespace

std::vector<double> time_by_wall(Stream& stream, const DeviceTiming& timing,
                                 const std::function<void()>& work) {
  std::vector<double> seconds;
  for (int i = -timing.warm_ups; i < timing.repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    for (int call = 0; call < timing.calls; ++call) work();
    stream.wait();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    if (i >= 0) seconds.push_back(taken.count() / timing.calls);
  }
  return seconds;
}

std::vector<double> time_calls(Stream& stream, const DeviceTiming& timing,
                               const std::function<void()>& work) {
  return stream.device() == kHost ? time_by_wall(stream, timing, work)
                                  : time_on_device(stream, timing, work);
}

int calls_a_batch(double once) {
  return std::clamp(static_cast<int>(std::ceil(kBatchSeconds / std::max(once, 1e-9))), 1,
                    kMostCalls);
}

MedianTime time_rung(const PreparedRung& rung, Stream& stream, double tested) {
  if (tested > kPatience) return {tested, 0};
  const auto work = [&] { rung.run(stream); };
  const auto timed = [&](const DeviceTiming& timing) { return time_calls(stream, timing, work); };
  const int warm_ups = tested < kPatience / 20 ? 2 : 0;
  const double once = timed({.warm_ups = warm_ups, .repeats = 1}).front();
  const int calls = calls_a_batch(once);
  const int batches = std::clamp(static_cast<int>(kPatience / (once * calls)), 1, kBatches);
  return median_time(timed({.warm_ups = warm_ups, .repeats = batches, .calls = calls}));
}

// Once more, with events around every kernel: they would lengthen the runs that are timed.
void add_kernel_time(StudyRow& row, const PreparedRung& rung, Stream& stream) {
  if (stream.device() == kHost) return;
  constexpr int kRuns = 3;
  constexpr double kSlowMs = 200;
  std::vector<double> seconds;
  KernelTime time;
  for (int run = 0; run < (row.ms.value_or(0) > kSlowMs ? 1 : kRuns); ++run) {
    time = time_kernels(stream, [&] { rung.run(stream); });
    seconds.push_back(time.seconds);
  }
  if (time.launches == 0) return;
  row.kernel_ms = 1e3 * median_time(seconds).seconds;
  row.launches = static_cast<int>(time.launches);
}

std::unique_ptr<ScopedPinning> pinned_for(const Stream& stream) {
  const bool wanted = stream.device() == kHost && study_threads().pin;
  return wanted ? std::make_unique<ScopedPinning>() : nullptr;
}

double roofline_flops(const DeviceCeilings& ceilings, double intensity) {
  return std::min(ceilings.fma_flops, intensity * ceilings.copy_bytes);
}

StudyRow filled_row(StudyRow row, const PreparedRung& rung, const MedianTime& time,
                    const DeviceCeilings& ceilings) {
  row.ms = 1e3 * time.seconds;
  row.spread = time.spread;
  row.gflops = known(1e-9 * rung.flops / time.seconds);
  row.gbytes = known(1e-9 * rung.bytes / time.seconds);
  if (row.gbytes && ceilings.copy_bytes > 0)
    row.of_copy = rung.bytes / time.seconds / ceilings.copy_bytes;
  if (row.gflops && ceilings.fma_flops > 0)
    row.of_peak = rung.flops / time.seconds / ceilings.fma_flops;
  row.intensity = known(rung.intensity);
  if (row.intensity)
    row.roofline = rung.flops / time.seconds / roofline_flops(ceilings, *row.intensity);
  row.block_x = known(rung.block_x);
  row.block_y = known(rung.block_y);
  row.tiles = known(rung.tiles);
  row.registers = known(rung.registers);
  row.shared_bytes = known(rung.shared_bytes);
  return row;
}

}  // namespace tessera
