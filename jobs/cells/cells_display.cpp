// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_display.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tessera/error.hpp"

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

CellsDisplay::CellsDisplay(const std::string& input, const FilmReading& reading)
    : film_(input, reading),
      grey_(Size{width(), height()}, Type::u8),
      ranged_(film_.frame().type == Type::u8) {}

void CellsDisplay::find_range() {
  std::vector<double> values = values_of(read_);
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

View<const std::uint8_t> CellsDisplay::next() {
  if (!film_.next(read_))
    throw Error(ErrorKind::input,
                fmt::format("cells: frame {} of the film could be read before but not now: {}",
                            film_.first_frame() + film_.read_so_far(),
                            film_.damage().empty() ? "it ends there" : film_.damage()));
  if (read_.info().type == Type::u8) return std::as_const(read_).as<std::uint8_t>();
  if (!ranged_) find_range();
  std::uint8_t* to = grey_.as<std::uint8_t>().data;
  for (const double value : values_of(read_)) {
    const double level = (value - low_) / (high_ - low_) * 255;
    *to++ =
        static_cast<std::uint8_t>(std::lround(level > 0 ? std::min(level, 255.0) : 0.0));  // NaN: 0
  }
  return std::as_const(grey_).as<std::uint8_t>();
}

}  // namespace tessera
