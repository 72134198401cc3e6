// SPDX-License-Identifier: Apache-2.0
/// Copies between a file's packed rows and views with any steps.
#pragma once

#include <vector>

#include "tessera/view.hpp"

namespace tessera {

inline long long row_bytes(const ImageInfo& info) {
  return 1LL * info.size.width * info.size.channels * bytes_of(info.type);
}

/// Whether the pixels of a row are contiguous.
template <class AnyKind>
bool packed_in_row(const AnyKind& view) {
  return view.pixel == view.size.channels;
}

/// Whether all rows of a plane are contiguous.
template <class AnyKind>
bool packed_in_plane(const AnyKind& view) {
  return packed_in_row(view) && view.row == 1LL * view.size.width * view.size.channels;
}

/// Copies packed pixels into a row of a view.
void scatter_row(const unsigned char* packed, AnyMutableView to, int row, int plane = 0);

/// Copies a row of a view to packed pixels.
void gather_row(AnyView from, int row, int plane, unsigned char* packed);

/// Calls put(offset, bytes, count) with the rows of a plane one after the other as in a file: all
/// at once if they are so in memory.
template <class Put>
void for_packed_rows(AnyView rows, Put put) {
  const long long bytes = row_bytes({rows.size, rows.type});
  if (packed_in_plane(rows)) return put(0, rows.address(0, 0), rows.size.height * bytes);
  std::vector<unsigned char> row(static_cast<std::size_t>(bytes));
  for (int y = 0; y < rows.size.height; ++y) {
    gather_row(rows, y, 0, row.data());
    put(y * bytes, row.data(), bytes);
  }
}

/// Throws Error(failure) unless `view` is in host memory and holds `rows` of the image.
void check_rows(const ImageInfo& image, Rows rows, const ImageInfo& view);
/// The same for one plane of the image.
void check_plane_rows(ImageInfo image, Rows rows, const ImageInfo& view);

/// Throws Error(failure) unless `rows` begin with row `next`, the first that a sink does not have
/// yet.
void check_next_row(Rows rows, int next);

/// The rows of each plane come in ascending order, each once. A rank of several has only some of
/// them (core/ranks.hpp), and the strips count those of all.
class RowOrder {
 public:
  explicit RowOrder(const ImageInfo& image);
  /// Throws Error(failure), as check_next_row.
  void next(int plane, Rows rows);
  void check_whole() const;

 private:
  int height_;
  bool all_here_;
  std::vector<int> next_rows_;
};

}  // namespace tessera
