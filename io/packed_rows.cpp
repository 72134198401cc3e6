// SPDX-License-Identifier: Apache-2.0
#include "io/packed_rows.hpp"

#include <fmt/format.h>

#include <cstring>

#include "core/counted.hpp"
#include "core/ranks.hpp"
#include "tessera/error.hpp"

namespace tessera {

void scatter_row(const unsigned char* packed, AnyMutableView to, int row, int plane) {
  const auto pixel_bytes = static_cast<size_t>(to.size.channels * bytes_of(to.type));
  if (packed_in_row(to)) {
    std::memcpy(to.address(0, row, plane), packed,
                pixel_bytes * static_cast<size_t>(to.size.width));
    return;
  }
  for (int x = 0; x < to.size.width; ++x, packed += pixel_bytes)
    std::memcpy(to.address(x, row, plane), packed, pixel_bytes);
}

void gather_row(AnyView from, int row, int plane, unsigned char* packed) {
  const auto pixel_bytes = static_cast<size_t>(from.size.channels * bytes_of(from.type));
  if (packed_in_row(from)) {
    std::memcpy(packed, from.address(0, row, plane),
                pixel_bytes * static_cast<size_t>(from.size.width));
    return;
  }
  for (int x = 0; x < from.size.width; ++x, packed += pixel_bytes)
    std::memcpy(packed, from.address(x, row, plane), pixel_bytes);
}

void check_rows(const ImageInfo& image, Rows rows, const ImageInfo& view) {
  ImageInfo expected = image;
  expected.size.height = rows.count();
  const bool inside = rows.first >= 0 && rows.end <= image.size.height && rows.count() >= 0;
  if (inside && view == expected) return;
  throw Error(ErrorKind::failure,
              fmt::format("rows {} to {} of an image of {} do not fit in the memory given",
                          rows.first, rows.end, counted(image.size.height, "row")));
}

void check_plane_rows(ImageInfo image, Rows rows, const ImageInfo& view) {
  image.size.planes = 1;
  check_rows(image, rows, view);
}

void check_next_row(Rows rows, int next) {
  if (rows.first == next) return;
  throw Error(
      ErrorKind::failure,
      fmt::format("row {} is written but row {} comes next; rows must come in order, each once",
                  rows.first, next));
}

RowOrder::RowOrder(const ImageInfo& image)
    : height_(image.size.height),
      all_here_(ranks().count() == 1 || ranks().apart()),
      next_rows_(static_cast<std::size_t>(image.size.planes)) {}

void RowOrder::next(int plane, Rows rows) {
  int& next_row = next_rows_.at(static_cast<std::size_t>(plane));
  if (all_here_ || rows.first < next_row) check_next_row(rows, next_row);
  next_row = rows.end;
}

void RowOrder::check_whole() const {
  if (!all_here_) return;
  for (const int next_row : next_rows_) check_next_row({height_, height_}, next_row);
}

}  // namespace tessera
