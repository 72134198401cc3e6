// SPDX-License-Identifier: Apache-2.0
// Sorting networks as lists of comparators, made by Batcher's odd-even merge for lists of any
// length. Lists for fixed windows are made by the compiler, those for footprints with the plan.
// Used on CPU and GPU.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

/// Values that a network takes at most.
inline constexpr int kMostWires = 64;
/// Comparators that sorting this many takes: 543 for 64 values.
inline constexpr int kMostComparators = 560;

/// Wires in the order of their values.
struct RankWires {
  int count = 0;
  int wire[kMostWires] = {};

  TESSERA_BOTH constexpr void add(int w) { wire[count++] = w; }
  /// Every second wire, from `first` on.
  TESSERA_BOTH constexpr RankWires alternate(int first) const {
    RankWires some;
    for (int k = first; k < count; k += 2) some.add(wire[k]);
    return some;
  }
};

TESSERA_BOTH constexpr RankWires rank_wires(int first, int count) {
  RankWires wires;
  for (int k = 0; k < count; ++k) wires.add(first + k);
  return wires;
}

/// A comparator leaves the smaller of two values on wire `low` and the larger on `high`. One whose
/// larger (or smaller) value is not used afterwards need not make it.
struct RankComparator {
  unsigned char low, high;
  bool makes_low, makes_high;
};

struct RankNetwork {
  int count = 0;
  RankComparator list[kMostComparators] = {};
  RankWires sorted;  ///< the wires in the order of their values at the end

  TESSERA_BOTH constexpr void compare(int low, int high) {
    list[count++] = {static_cast<unsigned char>(low), static_cast<unsigned char>(high), true, true};
  }

  /// Merges two lists of wires that are each in order. Batcher: merge the values at even places and
  /// those at odd places; then only neighbours are left to compare.
  TESSERA_BOTH constexpr RankWires merge(const RankWires& a, const RankWires& b) {
    if (a.count == 0) return b;
    if (b.count == 0) return a;
    RankWires merged;
    if (a.count == 1 && b.count == 1) {
      compare(a.wire[0], b.wire[0]);
      merged.add(a.wire[0]);
      merged.add(b.wire[0]);
      return merged;
    }
    const RankWires even = merge(a.alternate(0), b.alternate(0));
    const RankWires odd = merge(a.alternate(1), b.alternate(1));
    merged.add(even.wire[0]);
    for (int k = 0; k < odd.count || k + 1 < even.count; ++k) {
      if (k < odd.count && k + 1 < even.count) compare(odd.wire[k], even.wire[k + 1]);
      if (k < odd.count) merged.add(odd.wire[k]);
      if (k + 1 < even.count) merged.add(even.wire[k + 1]);
    }
    return merged;
  }

  TESSERA_BOTH constexpr RankWires sort(int first, int length) {
    if (length <= 1) return rank_wires(first, length);
    const int half = (length + 1) / 2;
    const RankWires low = sort(first, half);
    return merge(low, sort(first + half, length - half));
  }

  /// Drops whatever does not reach the places [first, end) of the sorted order.
  TESSERA_BOTH constexpr void keep_only(int first, int end) {
    bool used[kMostWires] = {};
    for (int k = first; k < end; ++k) used[sorted.wire[k]] = true;
    int kept = count;  // from the last to the first
    for (int k = count - 1; k >= 0; --k) {
      RankComparator c = list[k];
      c.makes_low = used[c.low];
      c.makes_high = used[c.high];
      if (!c.makes_low && !c.makes_high) continue;
      used[c.low] = used[c.high] = true;
      list[--kept] = c;
    }
    for (int k = kept; k < count; ++k) list[k - kept] = list[k];
    count -= kept;
  }
};

/// Sorts wires 0 … count - 1.
TESSERA_BOTH constexpr RankNetwork sorting_network(int count) {
  RankNetwork network;
  network.sorted = network.sort(0, count);
  return network;
}

/// Finds the value at one place of the sorted order.
TESSERA_BOTH constexpr RankNetwork selecting_network(int count, int place) {
  RankNetwork network = sorting_network(count);
  network.keep_only(place, place + 1);
  return network;
}

/// Merges lists of `length` wires, each in order, one after the other; only the places
/// [first, end) of the result are wanted.
TESSERA_BOTH constexpr RankNetwork merging_network(int lists, int length, int first, int end) {
  RankNetwork network;
  network.sorted = rank_wires(0, length);
  for (int k = 1; k < lists; ++k)
    network.sorted = network.merge(network.sorted, rank_wires(k * length, length));
  network.keep_only(first, end);
  return network;
}

/// The networks of a square window, made by the compiler. Two windows, one above the other, share
/// kSide - 1 rows: kPairs pairs.
template <int kSide, bool kMedian>
struct SquareNetworks {
  static constexpr int kPairs = (kSide - 1) / 2;
  static constexpr int kShared = kSide * (kSide - 1);
  static constexpr int kMiddle = (kSide * kSide - 1) / 2;
  static constexpr RankNetwork row = sorting_network(kSide);
  static constexpr RankNetwork pair = merging_network(2, kSide, 0, 2 * kSide);
  /// The median is at one of the middle places of the shared list, or in the remaining row.
  static constexpr RankNetwork shared = merging_network(
      kPairs, 2 * kSide, kMedian ? kMiddle - kSide : 0, kMedian ? kMiddle + 1 : kShared);
};

}  // namespace tessera
