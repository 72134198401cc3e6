// SPDX-License-Identifier: Apache-2.0
#include "jobs/xengine/tracked_voltages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace tessera {
namespace {

/// From this many samples on a delay is worth interpolation: an X-engine loses (pi d)^2 / 6 of a
/// product whose inputs are d samples apart, here 0.02%.
constexpr double kWorthShift = 0.01;
/// Longer gaps are not filled with zeros.
constexpr long long kShortGap = 256;

FringeSetup setup_of(const VoltageInfo& info, const PhaseCentre& centre, DelayWay way, int threads,
                     const std::string& method, int device) {
  const double most = centre.most_delay(), rate = *info.sample_rate;
  return {.shape = info.shape,
          .samples = info.samples,
          .offset_binary = info.offset_binary,
          .real_low = info.real_low,
          .sample_rate = rate,
          .frequency = info.frequency,
          .delays =
              [&centre, day = info.start_day, second = info.start_second, rate](long long sample) {
                const double seconds = second + static_cast<double>(sample) / rate;
                return centre.delays(static_cast<double>(day) + seconds / 86400);
              },
          .most_delay = most,
          .shift = way == DelayWay::automatic ? most * rate >= kWorthShift : way == DelayWay::shift,
          .method = method,
          .device = device,
          .threads = threads};
}

}  // namespace

VoltageInfo turned_info(VoltageInfo info) {
  if (info.bits == 0) info.bits = 8 * bytes_of(info.samples);
  info.samples = SampleType::cf32;
  info.offset_binary = info.real_low = false;
  return info;
}

TrackedVoltages::TrackedVoltages(VoltageSource& source, const PhaseCentre& centre, DelayWay way,
                                 int threads, const std::string& method, int device)
    : source_(source),
      info_(turned_info(source.info())),
      on_device_(method == "cuda"),
      tracker_(setup_of(source.info(), centre, way, threads, method, device)) {}

std::string TrackedVoltages::describe() const {
  return fmt::format("delays removed on the {}: {}", on_device_ ? "device" : "host",
                     tracker_.describe());
}

void TrackedVoltages::begin_gap(long long samples) {
  tracker_.add_missing(tracker_.halo());
  tracker_.end();
  gap_ = samples - 2 * tracker_.halo();
}

void TrackedVoltages::fill(long long most) {
  while (tracker_.ready() < most && gap_ == 0 && !at_end_) {
    const long long missing = source_.skip_missing(std::numeric_limits<long long>::max() / 4);
    position_ += missing;
    if (missing > 2 * tracker_.halo() + kShortGap) {
      begin_gap(missing);
    } else if (missing > 0) {
      tracker_.add_missing(missing);
    } else if (const VoltageBlock block = source_.read(at_once_); block.samples > 0) {
      tracker_.add(block);
      position_ += block.samples;
    } else {
      tracker_.end();
      at_end_ = true;
    }
  }
}

long long TrackedVoltages::skip_missing(long long most) {
  fill(1);
  if (tracker_.ready() > 0 || gap_ == 0) return 0;
  const long long skipped = std::min(gap_, most);
  gap_ -= skipped;
  if (gap_ == 0) {
    tracker_.begin(position_ - tracker_.halo());
    tracker_.add_missing(tracker_.halo());
  }
  return skipped;
}

VoltageBlock TrackedVoltages::read(long long most) {
  at_once_ = most;
  fill(most);
  if (tracker_.ready() > 0) return tracker_.take(most);
  return {};
}

}  // namespace tessera
