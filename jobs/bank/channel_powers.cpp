// SPDX-License-Identifier: Apache-2.0
#include "jobs/bank/channel_powers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

namespace tessera {
namespace {

/// As in recordings of `sample voltages`.
double wanted_rms(SampleType type) { return type == SampleType::ci8 ? 20 : 500; }

float rounded_gain(double gain) {
  const double unit = std::pow(10.0, std::floor(std::log10(gain)) - 2);
  const double rounded = std::round(gain / unit) * unit;
  // Larger ones are not defined as floats.
  if (rounded > std::numeric_limits<float>::max()) return std::numeric_limits<float>::infinity();
  return static_cast<float>(rounded);
}

double power_at(const unsigned char* at, long long imaginary) {
  std::array<float, 2> value;
  std::memcpy(value.data(), at, sizeof(float));
  std::memcpy(value.data() + 1, at + imaginary, sizeof(float));
  return double(value[0]) * value[0] + double(value[1]) * value[1];
}

}  // namespace

ChannelPowers::ChannelPowers(const XEngineShape& shape)
    : shape_(shape),
      sums_(static_cast<std::size_t>(shape.channels) * static_cast<std::size_t>(shape.inputs())),
      parts_(sums_.size()) {}

void ChannelPowers::add(const VoltageBlock& block, long long first, long long end) {
  const VoltageLayout& l = block.layout;
  const int inputs = shape_.inputs();
  for (std::size_t sum = 0, c = 0; c < static_cast<std::size_t>(shape_.channels); ++c)
    for (int i = 0; i < inputs; ++i, ++sum) {
      const unsigned char* const row =
          static_cast<const unsigned char*>(block.data) + static_cast<long long>(c) * l.channel +
          i / shape_.polarisations * l.antenna + i % shape_.polarisations * l.polarisation;
      for (long long m = first; m < end; ++m) {
        if (!block.valid.empty() &&
            block.valid[static_cast<std::size_t>(m / block.valid_samples * inputs + i)] == 0)
          continue;
        const double power =
            power_at(row + m / l.group * l.group_step + m % l.group * l.time, l.imaginary);
        if (!std::isfinite(power)) continue;
        sums_[sum] += power;
        parts_[sum] += 2;
      }
    }
}

std::vector<double> ChannelPowers::means() const {
  std::vector<double> means;
  const auto inputs = static_cast<std::ptrdiff_t>(shape_.inputs());
  for (std::ptrdiff_t at = 0; at < std::ssize(sums_); at += inputs) {
    const double parts = std::accumulate(parts_.begin() + at, parts_.begin() + at + inputs, 0.0);
    if (parts > 0)
      means.push_back(std::accumulate(sums_.begin() + at, sums_.begin() + at + inputs, 0.0) /
                      parts);
  }
  return means;
}

float automatic_gain(std::vector<double> means, SampleType type) {
  std::erase(means, 0.0);
  if (means.empty()) return 1;
  const auto middle = means.begin() + (std::ssize(means) - 1) / 2;
  std::ranges::nth_element(means, middle);
  return rounded_gain(wanted_rms(type) / std::sqrt(*middle));
}

}  // namespace tessera
