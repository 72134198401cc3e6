// SPDX-License-Identifier: Apache-2.0
#include "ops/faraday/faraday_median.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace tessera {
namespace {

constexpr std::size_t kSample = 32;
/// Places of the sample either side of its middle: twice the spread of a median's place in it.
constexpr std::size_t kReach = 6;
/// With fewer values a sample saves nothing.
constexpr std::size_t kFewValues = 8 * kSample;

/// The mean of the values that would stand at `place` - 1 and `place`, or the latter alone.
double middle_at(std::vector<double>& values, std::size_t place, bool alone) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(place);
  std::nth_element(values.begin(), middle, values.end());
  return alone ? *middle : 0.5 * (*std::max_element(values.begin(), middle) + *middle);
}

}  // namespace

double plain_median(std::vector<double>& values) {
  return middle_at(values, values.size() / 2, values.size() % 2 == 1);
}

double sampled_median(const std::vector<double>& values, std::vector<double>& room) {
  const std::size_t count = values.size(), place = count / 2;
  if (count >= kFewValues) {
    std::array<double, kSample> sample;
    for (std::size_t k = 0; k < kSample; ++k) sample[k] = values[k * count / kSample];
    std::sort(sample.begin(), sample.end());
    const double low = sample[kSample / 2 - kReach], high = sample[kSample / 2 + kReach];
    room.resize(count);
    std::size_t below = 0, kept = 0;
    for (const double value : values) {  // without a branch: every second one would be missed
      below += value < low;
      room[kept] = value;
      kept += (value >= low) & (value <= high);
    }
    // Both middle values must be among those kept.
    if (place >= below + 1 && place < below + kept) {
      room.resize(kept);
      return middle_at(room, place - below, count % 2 == 1);
    }
  }
  room.assign(values.begin(), values.end());
  return plain_median(room);
}

}  // namespace tessera
