// SPDX-License-Identifier: Apache-2.0
#include "jobs/enhance/area_picture.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace tessera {
namespace {

constexpr int kGap = 16;  // width of the white gap in pixels

int colours_in(const ImageInfo& image) { return image.size.channels >= 3 ? 3 : 1; }

void paint(const Image& from, Image& to, int first_column) {
  const View<const std::uint8_t> pixels = from.as<std::uint8_t>();
  const View<std::uint8_t> target = to.as<std::uint8_t>();
  for (int y = 0; y < pixels.size.height; ++y)
    for (int x = 0; x < pixels.size.width; ++x)
      for (int c = 0; c < target.size.channels; ++c)
        target.at(first_column + x, y, c) = pixels.at(x, y, std::min(c, pixels.size.channels - 1));
}

}  // namespace

AreaPicture::AreaPicture(const ImageInfo& image, int most_wide, int most_high)
    : image_(image), channels_(colours_in(image)) {
  const Size& size = image.size;
  const double scale =
      std::min({1.0, static_cast<double>(most_wide) / size.width, 1.0 * most_high / size.height});
  width_ = std::max(1, static_cast<int>(std::lround(size.width * scale)));
  height_ = std::max(1, static_cast<int>(std::lround(size.height * scale)));
  columns_ = places(size.width, width_);
  lines_ = places(size.height, height_);
  sum_.resize(static_cast<std::size_t>(width_) * (height_ + 1) * channels_);
}

std::vector<AreaPicture::Place> AreaPicture::places(int from, int to) {
  std::vector<Place> list;
  const double length = static_cast<double>(to) / from;  // at most 1
  for (int at = 0; at < from; ++at) {
    const double begin = at * length, end = (at + 1) * length;
    const int first = std::min(static_cast<int>(begin), to - 1);
    const double next = first + 1 < to ? std::max(0.0, end - (first + 1)) : 0;
    list.push_back({first, length - next, next});
  }
  return list;
}

template <class T>
void AreaPicture::add_row(const T* row, long long pixel) {
  // One more column and row, which get nothing, so that no place needs a check.
  std::vector<double> line(static_cast<std::size_t>(width_ + 1) * channels_);
  for (const Place& place : columns_) {
    double* to = &line[static_cast<std::size_t>(place.first) * channels_];
    for (int c = 0; c < channels_; ++c) {
      to[c] += place.share * static_cast<double>(row[c]);
      // Not 0 times NaN.
      if (place.next_share > 0) to[c + channels_] += place.next_share * static_cast<double>(row[c]);
    }
    row += pixel;
  }
  const Place& place = lines_[static_cast<std::size_t>(rows_++)];
  const std::size_t samples = static_cast<std::size_t>(width_) * channels_;
  double* to = &sum_[samples * place.first];
  for (std::size_t i = 0; i < samples; ++i) {
    to[i] += place.share * line[i];
    if (place.next_share > 0) to[i + samples] += place.next_share * line[i];
  }
}

void AreaPicture::add(AnyView rows) {
  const auto add_as = [&]<class T>(T) {
    const View<const T> view = rows.as<const T>();
    for (int y = 0; y < view.size.height; ++y) add_row(&view.at(0, y), view.pixel);
  };
  if (rows.type == Type::u8) return add_as(std::uint8_t{});
  if (rows.type == Type::u16) return add_as(std::uint16_t{});
  rows.type == Type::f32 ? add_as(float{}) : add_as(double{});
}

AreaPicture::Scale AreaPicture::scale() const {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  const auto samples = static_cast<std::size_t>(width_) * height_ * channels_;
  for (std::size_t i = 0; i < samples; ++i) {
    if (!std::isfinite(sum_[i])) continue;
    low = std::min(low, sum_[i]);
    high = std::max(high, sum_[i]);
  }
  if (!(low < high)) return {low - 1, 1};
  return {low, high - low};
}

Image AreaPicture::picture() const {
  Image made({width_, height_, channels_}, Type::u8);
  const double levels = image_.type == Type::u16 ? 257 : 1;
  const Scale floats = scale();
  std::uint8_t* to = made.as<std::uint8_t>().data;
  for (long long i = 0; i < made.info().size.samples(); ++i) {
    const double sum = sum_[static_cast<std::size_t>(i)];
    const double level =
        is_integer(image_.type) ? sum / levels : 255 * ((sum - floats.low) / floats.range);
    to[i] = static_cast<std::uint8_t>(
        std::isnan(level) ? 0 : std::lround(std::clamp(level, 0.0, 255.0)));
  }
  return made;
}

Image side_by_side(const Image& left, const Image& right) {
  const Size a = left.info().size, b = right.info().size;
  Image both(
      {a.width + kGap + b.width, std::max(a.height, b.height), std::max(a.channels, b.channels)},
      Type::u8);
  std::fill_n(both.as<std::uint8_t>().data, both.info().size.samples(), std::uint8_t{255});
  paint(left, both, 0);
  paint(right, both, a.width + kGap);
  return both;
}

}  // namespace tessera
