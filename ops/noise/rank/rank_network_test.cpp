// SPDX-License-Identifier: Apache-2.0
// Comparator lists are proved by the 0-1 principle: a network that sorts all inputs of zeros and
// ones sorts all inputs; and one that finds a place for all of them finds it for all inputs.
#include "ops/noise/rank/rank_network.cuh"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace tessera {
namespace {

/// 64 inputs of zeros and ones at once: bit b of a word is the value of its wire in input b. A
/// value that a comparator does not make is spoilt, so that nothing may depend on it.
using Words = std::vector<unsigned long long>;

Words run(const RankNetwork& network, Words wires) {
  for (int k = 0; k < network.count; ++k) {
    const RankComparator c = network.list[k];
    const unsigned long long a = wires[c.low], b = wires[c.high];
    const unsigned long long spoilt = 0x5555555555555555ULL * static_cast<unsigned>(k % 3);
    wires[c.low] = c.makes_low ? a & b : spoilt;
    wires[c.high] = c.makes_high ? a | b : spoilt;
  }
  return wires;
}

/// The wires of `count` values for inputs number 64 w to 64 w + 63: bit k of a number is wire k.
Words all_inputs(int count, unsigned long long w) {
  Words wires(static_cast<std::size_t>(count), 0);
  for (int b = 0; b < 64; ++b)
    for (int k = 0; k < count; ++k)
      wires[static_cast<std::size_t>(k)] |= ((64 * w + static_cast<unsigned>(b)) >> k & 1ULL) << b;
  return wires;
}

/// The bits of inputs whose value at `place`, when sorted, is one.
unsigned long long ones_at(const Words& input, int place) {
  unsigned long long bits = 0;
  for (int b = 0; b < 64; ++b) {
    int ones = 0;
    for (const unsigned long long wire : input) ones += static_cast<int>(wire >> b & 1ULL);
    const bool one = place >= static_cast<int>(input.size()) - ones;
    bits |= (one ? 1ULL : 0ULL) << b;
  }
  return bits;
}

TEST(RankNetwork, SortsEveryInputOfZerosAndOnes) {
  for (int count = 1; count <= 16; ++count) {
    const RankNetwork network = sorting_network(count);
    for (unsigned long long w = 0; 64 * w < 1ULL << count; ++w) {
      const Words input = all_inputs(count, w), out = run(network, input);
      for (int place = 0; place < count; ++place)
        ASSERT_EQ(out[static_cast<std::size_t>(network.sorted.wire[place])], ones_at(input, place))
            << count << " values, place " << place;
    }
  }
}

TEST(RankNetwork, FindsEveryPlaceOfEveryInput) {
  for (const int count : {1, 2, 5, 9, 12})
    for (int place = 0; place < count; ++place) {
      const RankNetwork network = selecting_network(count, place);
      for (unsigned long long w = 0; 64 * w < 1ULL << count; ++w) {
        const Words input = all_inputs(count, w);
        ASSERT_EQ(run(network, input)[static_cast<std::size_t>(network.sorted.wire[place])],
                  ones_at(input, place))
            << count << " values, place " << place;
      }
    }
}

/// Inputs of lists that are each sorted: a list of n has n + 1 of them, so all are tried.
void expect_merges(int lists, int length, int first, int end) {
  const RankNetwork network = merging_network(lists, length, first, end);
  std::vector<int> ones(static_cast<std::size_t>(lists), 0);
  for (bool more = true; more;) {
    Words input;
    for (const int k : ones)
      for (int place = 0; place < length; ++place) input.push_back(place >= length - k ? ~0ULL : 0);
    const Words out = run(network, input);
    for (int place = first; place < end; ++place)
      ASSERT_EQ(out[static_cast<std::size_t>(network.sorted.wire[place])], ones_at(input, place))
          << lists << " lists of " << length << ", place " << place;
    more = false;
    for (int& k : ones) {
      k = k == length ? 0 : k + 1;
      if (k > 0) {
        more = true;
        break;
      }
    }
  }
}

TEST(RankNetwork, MergesTheRowsOfSquares) {
  for (const int side : {3, 5, 7}) {
    expect_merges(2, side, 0, 2 * side);
    const int pairs = (side - 1) / 2, shared = side * (side - 1), middle = (side * side - 1) / 2;
    expect_merges(pairs, 2 * side, 0, shared);
    expect_merges(pairs, 2 * side, middle - side, middle + 1);
  }
}

TEST(RankNetwork, FindsMediansOfFootprintsOfAnySize) {
  // Too many inputs to try all: those in which the ones lie anywhere in a row of wires, which
  // sorting must move furthest, and numbers that look random.
  for (int count = 13; count <= kMostWires; ++count) {
    const int place = count / 2;
    const RankNetwork network = selecting_network(count, place);
    EXPECT_LE(sorting_network(count).count, kMostComparators);
    unsigned long long seed = 88172645463325252ULL;
    for (int trial = 0; trial < 50; ++trial) {
      Words input;
      for (int k = 0; k < count; ++k) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        input.push_back(trial % 2 ? seed : (k >= trial && k < trial + place ? ~0ULL : seed & 15));
      }
      ASSERT_EQ(run(network, input)[static_cast<std::size_t>(network.sorted.wire[place])],
                ones_at(input, place))
          << count << " values";
    }
  }
}

TEST(RankNetwork, DropsWhatIsNotWanted) {
  EXPECT_EQ(sorting_network(9).count, 26);
  EXPECT_EQ(selecting_network(9, 4).count, 22);
  EXPECT_EQ(selecting_network(9, 0).count, 8);  // the minimum of nine
}

}  // namespace
}  // namespace tessera
