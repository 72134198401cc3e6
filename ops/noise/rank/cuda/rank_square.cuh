// SPDX-License-Identifier: Apache-2.0
// Squares of 3x3, 5x5 and 7x7, in the same steps as on the CPU (rank_square_simd.cpp): rows are
// sorted once, pairs of rows merged once, and two outputs, one above the other, share the list of
// all rows that both windows have. Values that do not count sort to the end.
#pragma once

#include "ops/noise/rank/cuda/rank_values.cuh"
#include "ops/noise/rank/rank_network.cuh"

namespace tessera {

template <const RankNetwork& network, int kFirst = 0, class Key>
__device__ __forceinline__ void run_comparators(Key* wires) {
  if constexpr (kFirst < network.count) {
    constexpr int kLow = network.list[kFirst].low, kHigh = network.list[kFirst].high;
    const Key a = wires[kLow], b = wires[kHigh];
    wires[kLow] = a < b ? a : b;
    wires[kHigh] = a < b ? b : a;
    run_comparators<network, kFirst + 1>(wires);
  }
}

template <const RankNetwork& network, int kPlace = 0, class Key>
__device__ __forceinline__ void put_in_order(const Key* wires, Key* to) {
  if constexpr (kPlace < network.sorted.count) {
    constexpr int kWire = network.sorted.wire[kPlace];
    to[kPlace] = wires[kWire];
    put_in_order<network, kPlace + 1>(wires, to);
  }
}

/// The sorted values of a row of the window, and how many count.
template <class Key, int kSide>
struct RankSortedRow {
  Key key[kSide];
  int valid;
};

template <class T, int kSide>
class RankSquare {
 public:
  using Thread = RankThread<T>;
  using Key = typename Thread::Key;
  using Networks = SquareNetworks<kSide, false>;
  using Row = RankSortedRow<Key, kSide>;
  static constexpr int kPairs = Networks::kPairs, kShared = Networks::kShared;

  __device__ explicit RankSquare(const Thread& thread)
      : thread_(thread), place_(thread.place(kSide * kSide)) {
#pragma unroll
    for (int k = 0; k < kSide; ++k) columns_[k] = thread.column_of(k);
    for (int k = 0; k < kSide; ++k) {
      shared_[k] = 0;
      shared_[kSide + kShared + k] = Thread::kNothing;
    }
  }

  template <int kRows>
  __device__ void run() {
    Row tops[kPairs], before, next;
    Key pairs[kPairs][2 * kSide];
    int pair_valid[kPairs];
#pragma unroll
    for (int k = 0; k < kPairs; ++k) {
      tops[k] = load(2 * k);
      before = load(2 * k + 1);
      if (k + 1 < kPairs) {
        next = load(2 * k + 2);
        merge(before, next, pairs[k + 1], pair_valid[k + 1]);
      }
    }
    // A pair's place is known to the compiler.
#pragma unroll 1
    for (int y = 0; y < kRows; y += 2 * kPairs)
#pragma unroll
      for (int slot = 0; slot < kPairs; ++slot) {
        const Row top = tops[slot];
        tops[slot] = next = load(y + 2 * slot + kSide - 1);
        merge(before, next, pairs[slot], pair_valid[slot]);
        const int valid = merge_shared(pairs, pair_valid);
        before = load(y + 2 * slot + kSide);
        put(y + 2 * slot, top, valid);
        put(y + 2 * slot + 1, before, valid);
      }
  }

 private:
  __device__ Row load(int row) const {
    const PieceArgs& a = thread_.a;
    const int held = noise_held_row(a, thread_.row + row - a.anchor_y);
    Key wires[kSide];
    Row sorted;
    sorted.valid = 0;
#pragma unroll
    for (int k = 0; k < kSide; ++k) {
      wires[k] = thread_.key_at(columns_[k], held);
      sorted.valid += wires[k] != Thread::kNothing;
    }
    run_comparators<Networks::row>(wires);
    put_in_order<Networks::row>(wires, sorted.key);
    return sorted;
  }

  __device__ static void merge(const Row& a, const Row& b, Key* to, int& valid) {
    Key wires[2 * kSide];
#pragma unroll
    for (int k = 0; k < kSide; ++k) {
      wires[k] = a.key[k];
      wires[kSide + k] = b.key[k];
    }
    run_comparators<Networks::pair>(wires);
    put_in_order<Networks::pair>(wires, to);
    valid = a.valid + b.valid;
  }

  /// Makes the list that two windows share; returns how many of its values count.
  __device__ int merge_shared(const Key (&pairs)[kPairs][2 * kSide],
                              const int (&pair_valid)[kPairs]) {
    int valid = 0;
    Key wires[kShared];
#pragma unroll
    for (int pair = 0; pair < kPairs; ++pair) {
      valid += pair_valid[pair];
#pragma unroll
      for (int k = 0; k < 2 * kSide; ++k) wires[2 * kSide * pair + k] = pairs[pair][k];
    }
    run_comparators<Networks::shared>(wires);
    put_in_order<Networks::shared>(wires, shared_ + kSide);
    return valid;
  }

  /// The value at a place of the shared list s and a row r: the smallest of
  /// max(s[place - j], r[j - 1]) over all j.
  template <int kPlace>
  __device__ Key key_at(const Row& row) const {
    constexpr int kOwn = kSide + kPlace;
    Key least = shared_[kOwn];
#pragma unroll
    for (int j = 1; j <= kSide; ++j) {
      const Key larger = shared_[kOwn - j] > row.key[j - 1] ? shared_[kOwn - j] : row.key[j - 1];
      least = least < larger ? least : larger;
    }
    return least;
  }

  /// Places are known to the compiler, because a list that is indexed at run time leaves the
  /// registers. All threads of a warp nearly always take the same branch.
  template <int kFirst, int kLast>
  __device__ Key key_between(int place, const Row& row) const {
    if constexpr (kFirst == kLast) {
      return key_at<kFirst>(row);
    } else {
      constexpr int kMiddle = (kFirst + kLast) / 2;
      if (place <= kMiddle) return key_between<kFirst, kMiddle>(place, row);
      return key_between<kMiddle + 1, kLast>(place, row);
    }
  }

  __device__ void put(int y, const Row& row, int shared_valid) const {
    constexpr int kAll = kSide * kSide;
    const int valid = shared_valid + row.valid;
    const int place = valid == kAll ? place_ : valid > 0 ? thread_.place(valid) : 0;
    const Key key =
        place == kAll / 2 ? key_at<kAll / 2>(row) : key_between<0, kAll - 1>(place, row);
    thread_.store(thread_.row + y, key, valid);
  }

  const Thread& thread_;
  int place_;                        ///< of the result if all pixels count
  int columns_[kSide];               ///< of the window's pixels, or kNoPixel
  Key shared_[kShared + 2 * kSide];  ///< with values before and after the list
};

template <class T, int kSide, RankKnobs K>
__device__ void rank_square_column(const RankArgs& args) {
  const RankThread<T> thread(args, K.threads, K.rows);
  if (thread.has_work()) RankSquare<T, kSide>(thread).template run<K.rows>();
}

}  // namespace tessera
