// SPDX-License-Identifier: Apache-2.0
#include "ops/sources/sources_runs.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace tessera {

int SourceSets::find(int member) {
  int root = member;
  while (parents_[static_cast<std::size_t>(root)] != root)
    root = parents_[static_cast<std::size_t>(root)];
  while (member != root) member = std::exchange(parents_[static_cast<std::size_t>(member)], root);
  return root;
}

int SourceSets::join(int a, int b) {
  a = find(a);
  b = find(b);
  parents_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
  return std::min(a, b);
}

void SourceIslands::add_row(int y, const std::vector<SourceRun>& runs,
                            const std::vector<bool>& seeded) {
  std::size_t before = between(y - 1, y).first;
  const std::size_t end = runs_.size();
  last_row_ = y;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const int run = sets_.add();
    runs_.push_back(runs[r]);
    state_.push_back({y, runs[r].pixels(), seeded[r]});
    for_touching(runs_, before, end, runs[r], [&](std::size_t touched) {
      const auto a = static_cast<std::size_t>(sets_.find(static_cast<int>(touched)));
      const auto b = static_cast<std::size_t>(sets_.find(run));
      if (a == b) return;
      State& kept =
          state_[static_cast<std::size_t>(sets_.join(static_cast<int>(a), static_cast<int>(b)))];
      const State joined{y, state_[a].pixels + state_[b].pixels,
                         state_[a].seeded || state_[b].seeded};
      kept = joined;
    });
  }
}

std::pair<std::size_t, std::size_t> SourceIslands::between(int a, int b) const {
  const auto place = [&](int row) {
    return static_cast<std::size_t>(std::ranges::lower_bound(runs_, row, {}, &SourceRun::y) -
                                    runs_.begin());
  };
  return {place(a), place(b)};
}

void SourceIslands::forget_unseeded() {
  SourceIslands kept;
  std::vector<int> names(runs_.size(), -1);  // of islands, in the shorter list
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    if (closed(r) && !seeded(r)) continue;
    const auto root = static_cast<std::size_t>(island(r));
    const int run = kept.sets_.add();
    kept.runs_.push_back(runs_[r]);
    kept.state_.push_back(state_[root]);
    if (names[root] < 0) names[root] = run;
    kept.sets_.join(names[root], run);
  }
  kept.last_row_ = last_row_;
  *this = std::move(kept);
}

long long SourceIslands::bytes() const {
  return std::ssize(runs_) *
         static_cast<long long>(sizeof(SourceRun) + sizeof(State) + sizeof(int));
}

std::vector<SourceRun> widened(const std::vector<SourceRun>& runs, int margin, int width, int first,
                               int end) {
  std::vector<SourceRun> all;
  for (const SourceRun& run : runs)
    for (int y = std::max(first, run.y - margin); y < std::min(end, run.y + margin + 1); ++y)
      all.push_back({y, std::max(0, run.x0 - margin), std::min(width, run.x1 + margin)});
  std::ranges::sort(all, {}, [](const SourceRun& r) { return std::tuple(r.y, r.x0); });
  std::vector<SourceRun> merged;
  for (const SourceRun& run : all) {
    if (!merged.empty() && merged.back().y == run.y && merged.back().x1 >= run.x0)
      merged.back().x1 = std::max(merged.back().x1, run.x1);
    else
      merged.push_back(run);
  }
  return merged;
}

}  // namespace tessera
