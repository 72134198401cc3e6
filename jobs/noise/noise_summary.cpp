// SPDX-License-Identifier: Apache-2.0
#include "jobs/noise/noise_summary.hpp"

#include <algorithm>
#include <cmath>

#include "core/packed_text.hpp"
#include "core/parallel.hpp"
#include "core/ranks.hpp"
#include "core/typed_samples.hpp"

namespace tessera {
namespace {

constexpr double kMostSamples = 1 << 18;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

int step_for(const Size& image) {
  return static_cast<int>(
      std::max(1.0, std::ceil(std::sqrt(1.0 * image.width * image.height / kMostSamples))));
}

NoiseSpan range_of_row(View<const float> planes, int row, int plane) {
  float low = std::numeric_limits<float>::infinity(), high = -low;
  long long pixels = 0, infinite = 0;
  const float* value = &planes.at(0, row, 0, plane);
  for (int x = 0; x < planes.size.width; ++x, value += planes.pixel) {
    pixels += *value == *value;
    infinite += std::isinf(*value);
    low = *value < low ? *value : low;
    high = *value > high ? *value : high;
  }
  return pixels > 0 ? NoiseSpan{low, high, pixels, infinite} : NoiseSpan{};
}

void widen(NoiseSpan& range, const NoiseSpan& by) {
  range = {std::fmin(range.low, by.low), std::fmax(range.high, by.high), range.pixels + by.pixels,
           range.infinite + by.infinite};
}

NoiseImageSeen seen_in_row(AnyView image, int row, bool zero_is_blank) {
  return with_samples(image, [&](auto samples) {
    NoiseImageSeen seen;
    for (int x = 0; x < samples.size.width; ++x) {
      const auto value = static_cast<double>(samples.at(x, row));
      const bool blank = !std::isfinite(value) || (zero_is_blank && value == 0);
      seen.blanks += blank;
      seen.largest = std::max(seen.largest, blank ? 0 : std::abs(value));
    }
    return seen;
  });
}

}  // namespace

void NoiseSeen::add(const NoiseSeen& other) {
  image = {image.blanks + other.image.blanks, std::max(image.largest, other.image.largest)};
  for (std::size_t map = 0; map < maps.size(); ++map) widen(maps[map], other.maps[map]);
}

NoiseSummary::NoiseSummary(const Size& image, int planes, bool zero_is_blank)
    : planes_(planes),
      step_(step_for(image)),
      zero_is_blank_(zero_is_blank),
      seen_{.maps = std::vector<NoiseSpan>(index(planes))},
      samples_({(image.width - 1) / step_ + 1, (image.height - 1) / step_ + 1, 1, planes},
               Type::f32) {}

void NoiseSummary::see(AnyView image, AnyView planes, int first_row, int threads) {
  const int rows = planes.size.height;
  const View<const float> from = planes.as<const float>();
  const View<float> samples = samples_.as<float>();
  std::vector<NoiseSpan> ranges(index(rows) * index(planes_));
  std::vector<NoiseImageSeen> seen(index(rows));
  parallel_for(rows, threads, [&](int y) {
    seen[index(y)] = seen_in_row(image, y, zero_is_blank_);
    for (int p = 0; p < planes_; ++p) {
      ranges[index(y * planes_ + p)] = range_of_row(from, y, p);
      if ((first_row + y) % step_ != 0) continue;
      for (int x = 0; x < samples.size.width; ++x)
        samples.at(x, (first_row + y) / step_, 0, p) = from.at(x * step_, y, 0, p);
    }
  });
  for (int y = 0; y < rows; ++y) {
    if ((first_row + y) % step_ == 0) sampled_.push_back((first_row + y) / step_);
    const auto first = ranges.begin() + y * planes_;
    seen_.add({seen[index(y)], {first, first + planes_}});
  }
}

// Each rank's statistics, then its rows of samples: their numbers and values.
void NoiseSummary::join_ranks() {
  if (ranks().count() == 1) return;
  PackedText own;
  own.put(seen_.image);
  for (const NoiseSpan& map : seen_.maps) own.put(map);
  own.put(sampled_.size());
  const View<float> samples = samples_.as<float>();
  for (const int row : sampled_) {
    own.put(row);
    for (int p = 0; p < planes_; ++p)
      for (int x = 0; x < samples.size.width; ++x) own.put(samples.at(x, row, 0, p));
  }
  seen_ = {.maps = std::vector<NoiseSpan>(index(planes_))};
  for (std::string& text : ranks().gathered(own.text())) {
    PackedText other(std::move(text));
    NoiseSeen seen{.image = other.take<NoiseImageSeen>(), .maps = {}};
    for (int p = 0; p < planes_; ++p) seen.maps.push_back(other.take<NoiseSpan>());
    seen_.add(seen);
    for (auto rows = other.take<std::size_t>(); rows > 0; --rows) {
      const int row = other.take<int>();
      for (int p = 0; p < planes_; ++p)
        for (int x = 0; x < samples.size.width; ++x) samples.at(x, row, 0, p) = other.take<float>();
    }
  }
}

double NoiseSummary::median(int plane) const {
  std::vector<float> values;
  const View<const float> samples = samples_.as<float>();
  for (int y = 0; y < samples.size.height; ++y)
    for (int x = 0; x < samples.size.width; ++x)
      if (const float value = samples.at(x, y, 0, plane); !std::isnan(value))
        values.push_back(value);
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return (static_cast<double>(*std::max_element(values.begin(), middle)) + *middle) / 2;
}

}  // namespace tessera
