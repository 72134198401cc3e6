// SPDX-License-Identifier: Apache-2.0
#include "io/image_file.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <ctime>
#include <limits>

#include "core/stop.hpp"

namespace tessera {
namespace {

/// 40 ms of an encoder that makes 100 MB/s.
constexpr long long kPieceBytes = 4LL << 20;

}  // namespace

void ImageSource::read(Rows rows, AnyMutableView to) {
  for (int plane = 0; plane < to.size.planes; ++plane) {
    poll_stop();
    read_plane(plane, rows, AnyMutableView(to.only_plane(plane)));
  }
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

// In pieces, because encoders take their time and a caller may want to stop them.
void ImageSink::write(Rows rows, AnyView from) {
  const long long row_bytes = 1LL * bytes_of(from.type) * from.size.width * from.size.channels;
  const auto at_once = static_cast<int>(
      std::clamp(kPieceBytes / std::max(1LL, row_bytes), 1LL, static_cast<long long>(INT_MAX)));
  for (int plane = 0; plane < from.size.planes; ++plane)
    for (int row = 0; row < rows.count(); row += at_once) {
      poll_stop();
      const int count = std::min(at_once, rows.count() - row);
      write_plane(plane, {rows.first + row, rows.first + row + count},
                  AnyView(from.only_plane(plane).rows(row, count)));
    }
}

}  // namespace tessera
