// SPDX-License-Identifier: Apache-2.0
// The sources of an island by their definition: from every maximum the best path to a higher one.
#include <algorithm>
#include <map>

#include "ops/sources/fit/sources_peaks.hpp"

namespace tessera {
namespace {

using Pixels = std::vector<std::size_t>;

class PlainPeaks {
 public:
  PlainPeaks(const SourceGroup& group, const SourceRule& rule) : group_(group), rule_(rule) {}

  std::vector<SourcePeak> of_island(int island) {
    Pixels all;
    for (std::size_t i = 0; i < group_.size(); ++i)
      if (group_.island[i] == island) all.push_back(i);
    std::map<std::pair<double, std::size_t>, SourcePeak> found;
    for (const std::size_t i : all) {
      const std::size_t top = source_of(summit(i));
      SourcePeak& peak =
          found.try_emplace({-group_.height(top), top}, SourcePeak{island, top, {}}).first->second;
      peak.pixels.push_back(i);
    }
    std::vector<SourcePeak> peaks;
    for (auto& [key, peak] : found) peaks.push_back(peak);
    return peaks;
  }

 private:
  bool higher(std::size_t a, std::size_t b) const {
    return group_.height(a) > group_.height(b) || (group_.height(a) == group_.height(b) && a < b);
  }
  Pixels neighbours(std::size_t i) const {
    Pixels all;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        const std::size_t next = group_.at(group_.x[i] + dx, group_.y[i] + dy);
        if (next != SourceGroup::kNone && next != i && group_.island[next] >= 0)
          all.push_back(next);
      }
    return all;
  }
  /// The maximum that steps to the highest neighbour lead to.
  std::size_t summit(std::size_t i) const {
    std::size_t best = i;
    for (const std::size_t next : neighbours(i))
      if (higher(next, best)) best = next;
    return best == i ? i : summit(best);
  }
  /// All pixels that paths through pixels higher than `floor` lead to.
  Pixels region(std::size_t from, std::size_t floor) const {
    Pixels found{from};
    for (std::size_t k = 0; k < found.size(); ++k)
      for (const std::size_t next : neighbours(found[k]))
        if (higher(next, floor) && std::ranges::count(found, next) == 0) found.push_back(next);
    return found;
  }
  std::size_t highest(const Pixels& pixels) const {
    return *std::ranges::min_element(pixels,
                                     [&](std::size_t a, std::size_t b) { return higher(a, b); });
  }
  /// The highest pixel below which a maximum is no longer the highest of its region; kNone: none.
  std::size_t saddle(std::size_t top) const {
    std::size_t best = SourceGroup::kNone;
    for (std::size_t p = 0; p < group_.size(); ++p) {
      if (group_.island[p] != group_.island[top] || !higher(top, p)) continue;
      bool beside_own = false, beside_higher = false;
      for (const std::size_t next : neighbours(p)) {
        if (!higher(next, p)) continue;
        const std::size_t summit_there = highest(region(next, p));
        beside_own |= summit_there == top;
        beside_higher |= higher(summit_there, top);
      }
      if (beside_own && beside_higher && (best == SourceGroup::kNone || higher(p, best))) best = p;
    }
    return best;
  }
  std::size_t source_of(std::size_t top) const {
    const std::size_t pass = saddle(top);
    if (pass == SourceGroup::kNone) return top;
    if (group_.height(top) >= rule_.seed && group_.height(top) - group_.height(pass) >= rule_.rise)
      return top;
    // Across the saddle: its highest neighbour of the region with the highest maximum.
    std::size_t best = SourceGroup::kNone, best_summit = SourceGroup::kNone;
    for (const std::size_t next : neighbours(pass)) {
      if (!higher(next, pass)) continue;
      const std::size_t there = highest(region(next, pass));
      if (best == SourceGroup::kNone || higher(there, best_summit) ||
          (there == best_summit && higher(next, best))) {
        best = next;
        best_summit = there;
      }
    }
    return source_of(summit(best));
  }

  const SourceGroup& group_;
  SourceRule rule_;
};

}  // namespace

std::vector<SourcePeak> source_peaks_reference(const SourceGroup& group, const SourceRule& rule) {
  std::map<int, bool> islands;
  for (const int island : group.island)
    if (island >= 0) islands[island] = true;
  std::vector<SourcePeak> all;
  PlainPeaks plain(group, rule);
  for (const auto& [island, unused] : islands)
    for (SourcePeak& peak : plain.of_island(island)) all.push_back(std::move(peak));
  return all;
}

}  // namespace tessera
