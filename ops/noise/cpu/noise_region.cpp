// SPDX-License-Identifier: Apache-2.0
#include "ops/noise/cpu/noise_region.hpp"

#include "core/rows.hpp"

namespace tessera {
namespace {

/// How many of each `window` neighbours are pixels.
std::vector<int> pixels_in_windows(const std::vector<int>& sources, int window, bool all) {
  std::vector<int> counts;
  int count = 0;
  for (int i = 0; i < std::ssize(sources); ++i) {
    const auto holds = [&](int at) {
      return all || sources[static_cast<std::size_t>(at)] != kNoPixel;
    };
    count += holds(i);
    if (i >= window) count -= holds(i - window);
    if (i >= window - 1) counts.push_back(count);
  }
  return counts;
}

}  // namespace

NoiseRegion noise_region(const NoiseProblem& problem, Rows held, const NoiseRectangle& outputs) {
  const NoiseBox& box = problem.box;
  NoiseRegion region;
  region.width = outputs.width + box.width - 1;
  region.height = outputs.height + box.height - 1;
  region.rows = find_rows(problem.operation, problem.reads({outputs.y, outputs.y + outputs.height}),
                          held, problem.image.size.height, problem.border);
  for (int i = 0; i < region.width; ++i)
    region.columns.push_back(
        border_index(outputs.x - box.left() + i, problem.image.size.width, problem.border));
  const int first = outputs.x - box.left();
  region.side_by_side = first >= 0 && first + region.width <= problem.image.size.width;
  const bool all = problem.border == Border::constant;
  region.box_columns = pixels_in_windows(region.columns, box.width, all);
  region.box_rows = pixels_in_windows(region.rows, box.height, all);
  return region;
}

}  // namespace tessera
