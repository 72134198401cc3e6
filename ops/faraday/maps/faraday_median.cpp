// SPDX-License-Identifier: Apache-2.0
#include "ops/faraday/maps/faraday_median.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace tessera {
namespace {

constexpr std::size_t kSample = 32;
constexpr std::size_t kBuckets = 128;
/// With fewer values buckets save nothing.
constexpr std::size_t kFewValues = 256;

using Place = std::vector<double>::iterator;

/// The mean of the values that would be sorted to `place` - 1 and `place`, or only the latter.
double middle_at(Place first, Place end, std::size_t place, bool alone) {
  const Place middle = first + static_cast<std::ptrdiff_t>(place);
  std::nth_element(first, middle, end);
  return alone ? *middle : 0.5 * (*std::max_element(first, middle) + *middle);
}

}  // namespace

double plain_median(std::vector<double>& values) {
  return middle_at(values.begin(), values.end(), values.size() / 2, values.size() % 2 == 1);
}

double bucket_median(const std::vector<double>& values, std::vector<double>& room) {
  const std::size_t count = values.size(), place = count / 2;
  double low = values[0], high = values[0];
  for (std::size_t k = 1; k < kSample; ++k) {
    low = std::min(low, values[k * count / kSample]);
    high = std::max(high, values[k * count / kSample]);
  }
  const double scale = static_cast<double>(kBuckets) / (high - low);
  // A range beyond the largest number has scale 0; equal values have no scale.
  if (count < kFewValues || !(scale > 0) || !std::isfinite(scale)) {
    room.assign(values.begin(), values.end());
    return plain_median(room);
  }
  // A larger value never falls into a lower bucket, so the counts show where the middle is.
  const auto bucket = [=](double value) {
    return static_cast<std::size_t>(
        std::clamp((value - low) * scale, 0.0, static_cast<double>(kBuckets - 1)));
  };
  std::array<std::size_t, kBuckets> counts{};
  for (const double value : values) ++counts[bucket(value)];
  std::size_t first = 0, below = 0;
  while (below + counts[first] < place) below += counts[first++];
  std::size_t last = first;  // both middle values: the second may be in a later bucket
  for (std::size_t up_to = below + counts[first]; up_to <= place;) up_to += counts[++last];
  room.resize(count);
  std::size_t kept = 0;
  for (const double value : values) {  // without a branch, which would be mispredicted
    room[kept] = value;
    kept += bucket(value) - first <= last - first;  // wraps below `first`
  }
  const Place end = room.begin() + static_cast<std::ptrdiff_t>(kept);
  return middle_at(room.begin(), end, place - below, count % 2 == 1);
}

}  // namespace tessera
