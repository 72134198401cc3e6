// SPDX-License-Identifier: Apache-2.0
/// Pixels that are measured together: islands whose surroundings touch.
#pragma once

#include <cstddef>
#include <vector>

#include "ops/sources/sources_problem.hpp"
#include "ops/sources/sources_runs.hpp"

namespace tessera {

/// Pixels in row order, with their places.
struct SourceGroup {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::vector<SourceRun> runs;     ///< ascending by row and column
  std::vector<std::size_t> first;  ///< the pixel with which each run begins
  std::vector<SourcePixel> pixels;
  std::vector<int> x, y;       ///< of pixels
  std::vector<double> weight;  ///< 1 / rms; 0: blank
  std::vector<int> island;     ///< of pixels, from 0 on; -1: around islands

  std::size_t size() const { return pixels.size(); }
  /// The pixel at a place, or kNone.
  std::size_t at(int column, int row) const;
  /// Its significance; blank pixels have none.
  double height(std::size_t pixel) const { return pixels[pixel].d * weight[pixel]; }
  /// Pixels of a row in columns [x0, x1), as use(pixel).
  template <class Use>
  void for_row(int row, int x0, int x1, Use use) const;
  /// Runs of a row.
  std::pair<std::size_t, std::size_t> runs_of(int row) const;
};

/// `around`: all pixels kept; `islands`: runs of the islands that count, with the name of each.
struct SourceIslandRun {
  SourceRun run;
  int island = 0;
};
std::vector<SourceGroup> source_groups(const std::vector<SourceRun>& around,
                                       const std::vector<SourcePixel>& values,
                                       const std::vector<SourceIslandRun>& islands);

template <class Use>
void SourceGroup::for_row(int row, int x0, int x1, Use use) const {
  const auto [begin, end] = runs_of(row);
  for (std::size_t r = begin; r < end && runs[r].x0 < x1; ++r) {
    const int from = std::max(x0, runs[r].x0), to = std::min(x1, runs[r].x1);
    for (int column = from; column < to; ++column)
      use(first[r] + static_cast<std::size_t>(column - runs[r].x0));
  }
}

}  // namespace tessera
