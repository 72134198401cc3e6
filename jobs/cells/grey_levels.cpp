// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/grey_levels.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace tessera {
namespace {

constexpr double kLeftOut = 0.001;  // of the pixels, at each end of the range

template <class T>
std::vector<double> values_as(const Image& image) {
  const T* samples = image.as<T>().data;
  return {samples, samples + image.info().size.samples()};
}

std::vector<double> values_of(const Image& image) {
  switch (image.info().type) {
    case Type::u8:
      return values_as<std::uint8_t>(image);
    case Type::u16:
      return values_as<std::uint16_t>(image);
    case Type::f32:
      return values_as<float>(image);
    default:
      return values_as<double>(image);
  }
}

}  // namespace

GreyLevels::GreyLevels(const ImageInfo& frame)
    : grey_(Size{frame.size.width, frame.size.height}, Type::u8), ranged_(frame.type == Type::u8) {}

void GreyLevels::find_range(const Image& frame) {
  std::vector<double> values = values_of(frame);
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return;  // the next frame may determine the range
  ranged_ = true;
  const auto left_out = static_cast<long>(kLeftOut * static_cast<double>(values.size()));
  const auto low = values.begin() + left_out, high = values.end() - 1 - left_out;
  std::nth_element(values.begin(), low, values.end());
  low_ = *low;
  std::nth_element(values.begin(), high, values.end());
  high_ = std::max(*high, std::nextafter(low_, INFINITY));
}

View<const std::uint8_t> GreyLevels::of(const Image& frame) {
  if (frame.info().type == Type::u8) return frame.as<std::uint8_t>();
  if (!ranged_) find_range(frame);
  std::uint8_t* to = grey_.as<std::uint8_t>().data;
  for (const double value : values_of(frame)) {
    const double level = (value - low_) / (high_ - low_) * 255;
    *to++ =
        static_cast<std::uint8_t>(std::lround(level > 0 ? std::min(level, 255.0) : 0.0));  // NaN: 0
  }
  return std::as_const(grey_).as<std::uint8_t>();
}

}  // namespace tessera
