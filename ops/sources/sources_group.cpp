// SPDX-License-Identifier: Apache-2.0
#include "ops/sources/sources_group.hpp"

#include <algorithm>

namespace tessera {
namespace {

std::size_t sized(int value) { return static_cast<std::size_t>(value); }

void append(SourceGroup& group, const SourceRun& run, const SourcePixel* values) {
  group.runs.push_back(run);
  group.first.push_back(group.pixels.size());
  for (int k = 0; k < run.pixels(); ++k) {
    const SourcePixel& pixel = values[k];
    group.pixels.push_back(pixel);
    group.x.push_back(run.x0 + k);
    group.y.push_back(run.y);
    group.weight.push_back(pixel.valid() ? 1 / pixel.rms : 0);
    group.island.push_back(-1);
  }
}

}  // namespace

std::pair<std::size_t, std::size_t> SourceGroup::runs_of(int row) const {
  const auto begin = std::ranges::lower_bound(runs, row, {}, &SourceRun::y);
  auto end = begin;
  while (end != runs.end() && end->y == row) ++end;
  return {static_cast<std::size_t>(begin - runs.begin()),
          static_cast<std::size_t>(end - runs.begin())};
}

std::size_t SourceGroup::at(int column, int row) const {
  const auto run = std::upper_bound(
      runs.begin(), runs.end(), std::pair(row, column),
      [](const auto& place, const SourceRun& r) { return place < std::pair(r.y, r.x0); });
  if (run == runs.begin()) return kNone;
  const SourceRun& found = *(run - 1);
  if (found.y != row || column >= found.x1) return kNone;
  return first[static_cast<std::size_t>(run - 1 - runs.begin())] + sized(column - found.x0);
}

std::vector<SourceGroup> source_groups(const std::vector<SourceRun>& around,
                                       const std::vector<SourcePixel>& values,
                                       const std::vector<SourceIslandRun>& islands) {
  SourceSets sets;
  std::size_t before = 0, row_begin = 0;
  for (std::size_t r = 0; r < around.size(); ++r) {
    sets.add();
    if (r > 0 && around[r].y != around[r - 1].y) {
      before = around[r].y == around[r - 1].y + 1 ? row_begin : r;
      row_begin = r;
    }
    for_touching(around, before, row_begin, around[r], [&](std::size_t touched) {
      sets.join(static_cast<int>(touched), static_cast<int>(r));
    });
  }
  std::vector<SourceGroup> groups;
  std::vector<std::size_t> names(around.size());
  std::size_t at = 0;
  for (std::size_t r = 0; r < around.size(); ++r) {
    const std::size_t root = sized(sets.find(static_cast<int>(r)));
    if (root == r) {
      names[r] = groups.size();
      groups.emplace_back();
    }
    append(groups[names[root]], around[r], values.data() + at);
    at += sized(around[r].pixels());
  }
  // Every run of an island lies in a run around it.
  std::size_t r = 0;
  for (const SourceIslandRun& island : islands) {
    while (around[r].y != island.run.y || around[r].x1 < island.run.x1) ++r;
    SourceGroup& group = groups[names[sized(sets.find(static_cast<int>(r)))]];
    group.for_row(island.run.y, island.run.x0, island.run.x1,
                  [&](std::size_t pixel) { group.island[pixel] = island.island; });
  }
  return groups;
}

}  // namespace tessera
