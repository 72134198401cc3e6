// SPDX-License-Identifier: Apache-2.0
/// Elements of a list by their position in its order, without sorting it.
///
/// A histogram over the list's own range shows which bins contain the wanted elements; the contents
/// of these bins are collected and searched in the same way. Ranges are of keys: those of floats
/// grow with the logarithm, so that bright sources do not push all the rest into one bin.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <vector>

#include "ops/noise/noise_values.cuh"

namespace tessera {

/// Twice the maximum number of quantiles: each may lie between two elements.
inline constexpr int kMostPicks = 2 * kMostNoiseOrders;

template <class Key>
class KeySelector {
 public:
  /// found[k] = the element at ranks[k] of the sorted list; ranks ascend.
  void select(const Key* keys, int count, const int* ranks, int wanted, Key* found) {
    select(keys, count, ranks, wanted, found, 0);
  }

 private:
  static constexpr int kFew = 32;  ///< up to this many are compared, each with all
  static constexpr int kFewestBits = 5, kMostBits = 11;

  struct Bins {
    Key low;
    int shift, count;
    std::size_t of(Key key) const { return static_cast<std::size_t>((key - low) >> shift); }
  };
  /// Wanted elements of one bin: their part of the list of candidates.
  struct Group {
    std::size_t bin;
    int first_wanted, wanted, before, first, end;
  };

  /// The element at a rank is the largest of those with at most that many below them: counting
  /// takes count^2 steps, but without a branch to predict and on vectors.
  static void select_few(const Key* keys, int count, const int* ranks, int wanted, Key* found) {
    std::fill_n(found, wanted, Key{0});
    for (int i = 0; i < count; ++i) {
      const Key key = keys[i];
      Key below = 0;  // as wide as keys: one vector holds the same number of both
      for (int j = 0; j < count; ++j) below += keys[j] < key ? Key{1} : Key{0};
      for (int k = 0; k < wanted; ++k)
        if (below <= static_cast<Key>(ranks[k])) found[k] = std::max(found[k], key);
    }
  }

  void select(const Key* keys, int count, const int* ranks, int wanted, Key* found,
              std::size_t level) {
    if (count <= kFew) return select_few(keys, count, ranks, wanted, found);
    const Bins bins = find_bins(keys, count);
    count_into(bins, keys, count);
    std::array<Group, kMostPicks> groups;
    const int all = find_groups(ranks, wanted, groups.data());
    if (bins.shift == 0) {
      for (int g = 0; g < all; ++g)
        std::fill_n(found + groups[g].first_wanted, groups[g].wanted,
                    static_cast<Key>(bins.low + groups[g].bin));
      return;
    }
    if (candidates_.size() <= level) candidates_.resize(level + 1);
    std::vector<Key> candidates = std::move(candidates_[level]);
    collect(bins, keys, count, groups.data(), all, candidates);
    for (int g = 0; g < all; ++g) {
      const Group& group = groups[g];
      std::array<int, kMostPicks> inner{};
      for (int k = 0; k < group.wanted; ++k)
        inner[k] = ranks[group.first_wanted + k] - group.before;
      select(candidates.data() + group.first, group.end - group.first, inner.data(), group.wanted,
             found + group.first_wanted, level + 1);
    }
    candidates_[level] = std::move(candidates);
  }

  template <class Unsigned>
  static int width_of(Unsigned value) {
    return static_cast<int>(std::bit_width(value));
  }
  static Bins find_bins(const Key* keys, int count) {
    Key low = keys[0], high = keys[0];
    for (int k = 1; k < count; ++k) {
      low = keys[k] < low ? keys[k] : low;
      high = keys[k] > high ? keys[k] : high;
    }
    const int bits = std::clamp(width_of(static_cast<unsigned>(count)) - 1, kFewestBits, kMostBits);
    const int shift = std::max(0, width_of(static_cast<Key>(high - low)) - bits);
    return {low, shift, static_cast<int>((high - low) >> shift) + 1};
  }

  /// Two tables used in turn, so that equal keys do not wait for one another.
  void count_into(const Bins& bins, const Key* keys, int count) {
    const auto used = static_cast<std::size_t>(bins.count);
    std::fill_n(counts_.begin(), used, 0);
    std::fill_n(others_.begin(), used, 0);
    int k = 0;
    for (; k + 1 < count; k += 2) {
      ++counts_[bins.of(keys[k])];
      ++others_[bins.of(keys[k + 1])];
    }
    if (k < count) ++counts_[bins.of(keys[k])];
    for (std::size_t b = 0; b < used; ++b) counts_[b] += others_[b];
  }

  int find_groups(const int* ranks, int wanted, Group* groups) const {
    int all = 0, before = 0, room = 0;
    std::size_t bin = 0;
    for (int k = 0; k < wanted;) {
      while (before + counts_[bin] <= ranks[k]) before += counts_[bin++];
      Group& group = groups[all++] = {bin, k, 0, before, room, room};
      for (; k < wanted && ranks[k] < before + counts_[bin]; ++k) ++group.wanted;
      room += counts_[bin];
    }
    return all;
  }

  /// The `end` of each group advances to its final position.
  void collect(const Bins& bins, const Key* keys, int count, Group* groups, int all,
               std::vector<Key>& candidates) {
    int room = 0;
    for (int g = 0; g < all; ++g) {
      slots_[groups[g].bin] = static_cast<unsigned char>(g + 1);
      room += counts_[groups[g].bin];
    }
    if (std::ssize(candidates) < room) candidates.resize(static_cast<std::size_t>(room));
    Key* const to = candidates.data();
    for (int k = 0; k < count; ++k)
      if (const int slot = slots_[bins.of(keys[k])]; slot != 0)
        to[groups[slot - 1].end++] = keys[k];
    for (int g = 0; g < all; ++g) slots_[groups[g].bin] = 0;
  }

  std::array<int, 1 << kMostBits> counts_, others_;
  std::array<unsigned char, 1 << kMostBits> slots_{};
  std::vector<std::vector<Key>> candidates_;  ///< one list per level
};

}  // namespace tessera
