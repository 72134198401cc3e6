// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_display.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tessera {
namespace {

constexpr double kLeftOut = 0.001;  // of the pixels, at either end of the range

ImageInfo one_plane(ImageInfo info) {
  info.size.planes = 1;
  return info;
}

template <class T>
void average_channels(const View<const T>& from, std::vector<double>& to) {
  std::size_t i = 0;
  for (int y = 0; y < from.size.height; ++y)
    for (int x = 0; x < from.size.width; ++x) {
      const T* pixel = &from.at(x, y);
      double sum = 0;
      for (int c = 0; c < from.size.channels; ++c) sum += static_cast<double>(pixel[c]);
      to[i++] = sum / from.size.channels;
    }
}

std::vector<double> grey_values(const Image& image) {
  std::vector<double> values(static_cast<std::size_t>(image.info().size.pixels()));
  switch (image.info().type) {
    case Type::u8:
      average_channels(image.as<std::uint8_t>(), values);
      break;
    case Type::u16:
      average_channels(image.as<std::uint16_t>(), values);
      break;
    case Type::f32:
      average_channels(image.as<float>(), values);
      break;
    case Type::f64:
      average_channels(image.as<double>(), values);
      break;
  }
  return values;
}

}  // namespace

CellsDisplay::CellsDisplay(ImageSource& film)
    : film_(film),
      read_(one_plane(film.info())),
      grey_(Size{film.info().size.width, film.info().size.height}, Type::u8),
      ranged_(film.info().type == Type::u8) {}

void CellsDisplay::find_range() {
  ranged_ = true;
  std::vector<double> values = grey_values(read_);
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return;
  const auto left_out = static_cast<long>(kLeftOut * static_cast<double>(values.size()));
  const auto low = values.begin() + left_out, high = values.end() - 1 - left_out;
  std::nth_element(values.begin(), low, values.end());
  low_ = *low;
  std::nth_element(values.begin(), high, values.end());
  high_ = std::max(*high, std::nextafter(low_, INFINITY));
}

View<const std::uint8_t> CellsDisplay::frame(int index) {
  const Rows all{0, height()};
  if (read_.info().type == Type::u8 && read_.info().size.channels == 1) {
    film_.read_plane(index, all, grey_.view());
    return std::as_const(grey_).as<std::uint8_t>();
  }
  film_.read_plane(index, all, read_.view());
  if (!ranged_) find_range();
  const std::vector<double> values = grey_values(read_);
  std::uint8_t* to = grey_.as<std::uint8_t>().data;
  for (const double value : values) {
    const double level = (value - low_) / (high_ - low_) * 255;
    // What is not a number is black.
    *to++ = level > 0 ? static_cast<std::uint8_t>(std::lround(std::min(level, 255.0))) : 0;
  }
  return std::as_const(grey_).as<std::uint8_t>();
}

}  // namespace tessera
