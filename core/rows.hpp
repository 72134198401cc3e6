// SPDX-License-Identifier: Apache-2.0
/// Finds the rows that a piece of output needs.
#pragma once

#include <vector>

#include "tessera/border.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// For each row of `needed`: its index in the piece's view, or kNoPixel if the border gives no
/// pixel. Rows that the piece holds are used as they are; others follow the border rule. Throws
/// Error(usage) naming `operation` if the piece lacks a row.
std::vector<int> find_rows(const char* operation, Rows needed, Rows held, int image_height,
                           Border border);

/// The first pixel of each of these rows of a plane; null for kNoPixel.
std::vector<const unsigned char*> row_addresses(const Piece& in, int plane,
                                                const std::vector<int>& rows);

/// The groups of `step` rows, counted from row 0, that `rows` touches; the last ends at `height`.
inline Rows whole_groups(Rows rows, int step, int height) {
  if (step <= 1 || rows.count() <= 0) return rows;
  const long long end = ((rows.end - 1LL) / step + 1) * step;
  return {rows.first / step * step, static_cast<int>(end < height ? end : height)};
}

/// The end of a strip of at most `most` rows from `first` on, so that few groups are cut.
inline int strip_end(int first, int most, int step, int height) {
  const long long end = 1LL * first + most, next_cut = (1LL * first / step + 1) * step;
  const long long cut = most >= step ? end / step * step : end < next_cut ? end : next_cut;
  return static_cast<int>(cut < height ? cut : height);
}

}  // namespace tessera
