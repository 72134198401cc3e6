// SPDX-License-Identifier: Apache-2.0
// Pixels are visited from the highest to the lowest, and maxima meet at their saddles.
#include "ops/sources/fit/sources_peaks.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace tessera {
namespace {

constexpr int kFree = -1;

std::size_t count_of(int value) { return static_cast<std::size_t>(value); }

/// Maxima of one island, in descending order.
class Heights {
 public:
  Heights(const SourceGroup& group, const SourceRule& rule, std::vector<int>& owner)
      : group_(group), rule_(rule), owner_(owner) {}

  void visit(std::size_t pixel) {
    // The visited neighbours, by island maximum (lower numbers are higher), and the highest of all.
    std::map<int, std::size_t> summits;
    std::size_t highest = SourceGroup::kNone;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        const std::size_t next = group_.at(group_.x[pixel] + dx, group_.y[pixel] + dy);
        if (next == SourceGroup::kNone || next == pixel || owner_[next] == kFree) continue;
        if (highest == SourceGroup::kNone || higher(next, highest)) highest = next;
        std::size_t& best = summits.try_emplace(joined_.find(owner_[next]), next).first->second;
        if (higher(next, best)) best = next;
      }
    if (summits.empty()) {
      owner_[pixel] = joined_.add();
      tops_.push_back(pixel);
      passes_to_.push_back(kFree);
      return;
    }
    owner_[pixel] = owner_[highest];
    const auto [winner, way] = *summits.begin();
    for (const auto& [summit, unused] : summits) {
      if (summit == winner) continue;
      if (!is_source(summit, pixel)) passes_to_[count_of(summit)] = owner_[way];
      joined_.join(winner, summit);
    }
  }

  /// The source that has a maximum's pixels.
  int source_of(int maximum) const {
    while (passes_to_[count_of(maximum)] != kFree) maximum = passes_to_[count_of(maximum)];
    return maximum;
  }
  std::size_t top(int maximum) const { return tops_[count_of(maximum)]; }

 private:
  bool higher(std::size_t a, std::size_t b) const {
    const double of_a = group_.height(a), of_b = group_.height(b);
    return of_a > of_b || (of_a == of_b && a < b);
  }
  bool is_source(int maximum, std::size_t saddle) const {
    const double height = group_.height(top(maximum));
    return height >= rule_.seed && height - group_.height(saddle) >= rule_.rise;
  }

  const SourceGroup& group_;
  SourceRule rule_;
  std::vector<int>& owner_;  ///< of pixels of the group: their maximum
  SourceSets joined_;
  std::vector<std::size_t> tops_;
  std::vector<int> passes_to_;
};

}  // namespace

std::vector<SourcePeak> source_peaks(const SourceGroup& group, const SourceRule& rule) {
  std::map<int, std::vector<std::size_t>> islands;
  for (std::size_t pixel = 0; pixel < group.size(); ++pixel)
    if (group.island[pixel] >= 0) islands[group.island[pixel]].push_back(pixel);
  std::vector<SourcePeak> peaks;
  std::vector<int> owner(group.size(), kFree);
  for (const auto& [island, pixels] : islands) {
    std::vector<std::size_t> order = pixels;
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
      const double of_a = group.height(a), of_b = group.height(b);
      return of_a > of_b || (of_a == of_b && a < b);
    });
    Heights heights(group, rule, owner);
    for (const std::size_t pixel : order) heights.visit(pixel);
    std::map<int, SourcePeak> of_island;
    for (const std::size_t pixel : pixels) {
      const int source = heights.source_of(owner[pixel]);
      SourcePeak& peak =
          of_island.try_emplace(source, SourcePeak{island, heights.top(source), {}}).first->second;
      peak.pixels.push_back(pixel);
    }
    for (auto& [source, peak] : of_island) peaks.push_back(std::move(peak));
  }
  return peaks;
}

}  // namespace tessera
