// SPDX-License-Identifier: Apache-2.0
#include "study/study_loops.hpp"

#include <algorithm>
#include <cmath>

#include "core/device.hpp"

namespace tessera {
namespace {

constexpr double kBatchSeconds = 1e-3;  // events tell half microseconds apart
constexpr int kMostCalls = 64, kBatches = 11;

template <class T>
std::optional<T> known(T value) {
  return value > 0 ? std::optional<T>(value) : std::nullopt;
}

}  // namespace

RungTime time_rung(const PreparedRung& rung, Stream& stream) {
  const auto work = [&] { rung.run(stream); };
  const double once = time_on_device(stream, {.warm_ups = 2, .repeats = 1}, work).front();
  const int calls =
      std::clamp(static_cast<int>(std::ceil(kBatchSeconds / std::max(once, 1e-9))), 1, kMostCalls);
  std::vector<double> seconds =
      time_on_device(stream, {.warm_ups = 2, .repeats = kBatches, .calls = calls}, work);
  std::sort(seconds.begin(), seconds.end());
  const double median = seconds[seconds.size() / 2];
  return {median, (seconds.back() - seconds.front()) / median};
}

double roofline_flops(const DeviceCeilings& ceilings, double intensity) {
  return std::min(ceilings.fma_flops, intensity * ceilings.copy_bytes);
}

StudyRow filled_row(StudyRow row, const PreparedRung& rung, const RungTime& time,
                    const DeviceCeilings& ceilings) {
  row.ms = 1e3 * time.seconds;
  row.spread = time.spread;
  row.gflops = 1e-9 * rung.flops / time.seconds;
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
