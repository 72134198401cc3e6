// SPDX-License-Identifier: Apache-2.0
#include "io/image_file.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <limits>

namespace tessera {

void ImageSource::read(Rows rows, AnyMutableView to) {
  for (int plane = 0; plane < to.size.planes; ++plane)
    read_plane(plane, rows, AnyMutableView(to.only_plane(plane)));
}

void ImageSource::warn(const std::string& sentence) {
  if (std::ranges::count(warnings_, sentence) == 0) warnings_.push_back(sentence);
}

void fill_missing(Type type, void* samples, long long count) {
  if (type == Type::f32)
    std::fill_n(static_cast<float*>(samples), count, std::numeric_limits<float>::quiet_NaN());
  else if (type == Type::f64)
    std::fill_n(static_cast<double*>(samples), count, std::numeric_limits<double>::quiet_NaN());
  else
    std::fill_n(static_cast<unsigned char*>(samples), count * bytes_of(type), 0);
}

void fill_missing(AnyMutableView to) {
  for (int plane = 0; plane < to.size.planes; ++plane)
    for (int y = 0; y < to.size.height; ++y)
      for (int x = 0; x < to.size.width; ++x)
        fill_missing(to.type, to.address(x, y, plane), to.size.channels);
}

std::vector<std::string> history_to_write(const WriteOptions& options) {
  std::vector<std::string> lines = options.history;
  if (options.stamp)
    lines.push_back(fmt::format("made: {:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))));
  return lines;
}

void ImageSink::write(Rows rows, AnyView from) {
  for (int plane = 0; plane < from.size.planes; ++plane)
    write_plane(plane, rows, AnyView(from.only_plane(plane)));
}

}  // namespace tessera
