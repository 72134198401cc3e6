// SPDX-License-Identifier: Apache-2.0
// Windows of any length from windows of powers of two: those of 1, 2, 4 … samples are made from one
// another, and the ones in the binary digits of the length are merged, first along rows, then down
// columns. Nothing is ever subtracted, so no pixel leaves a trace beyond its windows.
#include "ops/correlate/match/cpu/match_moments.hpp"

#include <algorithm>

namespace tessera {

WindowSpread::WindowSpread(const MatchProblem& problem, int columns, int rows)
    : width_(problem.width),
      height_(problem.height),
      channels_(problem.channels()),
      most_columns_(columns),
      most_rows_(rows),
      merge_(merge_moments_function()) {}

std::size_t WindowSpread::scratch_bytes() const {
  const std::size_t columns = most_columns_, all_rows = most_rows_ + height_ - 1;
  const std::size_t line = columns + width_ - 1;
  return 2 * sizeof(double) * (columns * (all_rows + most_rows_ + 1) + line);
}

Moments WindowSpread::find(const MatchPixels& pixels, int first, int columns, int rows,
                           double* scratch) const {
  const auto take = [&](long long count) {
    const Moments taken{scratch, scratch + count};
    scratch += 2 * count;
    return taken;
  };
  const int all_rows = rows + height_ - 1;
  const Moments levels = take(1LL * most_columns_ * all_rows);
  const Moments sums = take(1LL * most_columns_ * rows);
  const Moments line = take(most_columns_ + width_ - 1), more = take(most_columns_);
  for (int y = 0; y < all_rows; ++y) {
    MatchPixels row = pixels;
    row.first += y * pixels.row + first;
    across(row, columns, line, levels.at(1LL * y * most_columns_), more);
  }
  return down(levels, sums, columns, rows);
}

/// The windows of one row, over all channels.
void WindowSpread::across(const MatchPixels& pixels, int columns, Moments line, Moments to,
                          Moments more) const {
  for (int c = 0; c < channels_; ++c) {
    const Moments sum = c == 0 ? to : more;
    const int samples = columns + width_ - 1;
    std::copy_n(pixels.first + c * pixels.channel, samples, line.mean);
    std::fill_n(line.squares, samples, 0.0);
    int have = 0;
    for (int size = 1;; size *= 2) {
      if (width_ & size) {
        if (have == 0) {
          std::copy_n(line.mean, columns, sum.mean);
          std::copy_n(line.squares, columns, sum.squares);
        } else {
          merge_({sum, 1.0 * have}, {line.at(have), 1.0 * size}, sum, columns);
        }
        have += size;
      }
      if (2LL * size > width_) break;
      merge_({line, 1.0 * size}, {line.at(size), 1.0 * size}, line, columns + width_ - 2LL * size);
    }
    if (c > 0) merge_({to, 1.0 * c * width_}, {more, 1.0 * width_}, to, columns);
  }
}

Moments WindowSpread::down(Moments levels, Moments sums, int columns, int rows) const {
  const double each = 1.0 * width_ * channels_;
  const auto row_of = [this](Moments all, int y) { return all.at(1LL * y * most_columns_); };
  int have = 0;
  for (int size = 1;; size *= 2) {
    if (height_ == size) return levels;  // whole windows already
    if (height_ & size) {
      for (int y = 0; y < rows; ++y) {
        const Moments from = row_of(levels, y + have), to = row_of(sums, y);
        if (have == 0) {
          std::copy_n(from.mean, columns, to.mean);
          std::copy_n(from.squares, columns, to.squares);
        } else {
          merge_({to, each * have}, {from, each * size}, to, columns);
        }
      }
      have += size;
    }
    if (2LL * size > height_) return sums;
    for (int y = 0; y < rows + height_ - 2 * size; ++y)
      merge_({row_of(levels, y), each * size}, {row_of(levels, y + size), each * size},
             row_of(levels, y), columns);
  }
}

}  // namespace tessera
