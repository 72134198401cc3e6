// SPDX-License-Identifier: Apache-2.0
// Squares of 3x3, 5x5 and 7x7. Two output rows, one above the other, share all rows of their
// windows except the first and the last, so those are sorted once for both:
//
//   1. the k values of every row of the window are sorted, once per row of the image;
//   2. pairs of neighbouring rows are merged, once per pair;
//   3. the (k - 1) / 2 pairs that two outputs share are merged;
//   4. each output is a value of that list and its remaining row, found without merging them.
//
// 3x3 takes 19 minima and maxima per vector, 5x5 77 and 7x7 221, for any rank.
#include "ops/noise/rank/cpu/rank_block.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/noise/rank/cpu/rank_square_simd.cpp"
#include <hwy/foreach_target.h>

#include "ops/noise/rank/cpu/rank_nan-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

template <const RankNetwork& network, int kStep, class V>
HWY_INLINE void run_step(V* wires) {
  constexpr RankComparator c = network.list[kStep];
  const V a = wires[c.low], b = wires[c.high];
  if constexpr (c.makes_low) wires[c.low] = hn::Min(a, b);
  if constexpr (c.makes_high) wires[c.high] = hn::Max(a, b);
}
// As a fold: recursion takes g++ twice as long. A network may have no comparator at all.
template <const RankNetwork& network, class V, int... kSteps>
HWY_INLINE void run_steps([[maybe_unused]] V* wires, std::integer_sequence<int, kSteps...>) {
  (run_step<network, kSteps>(wires), ...);
}
template <const RankNetwork& network, class V>
HWY_INLINE void run_network(V* wires) {
  run_steps<network>(wires, std::make_integer_sequence<int, network.count>());
}

/// The wires of a network's result in their order.
template <const RankNetwork& network, class V, int... kPlaces>
HWY_INLINE void put_places(const V* wires, V* to, std::integer_sequence<int, kPlaces...>) {
  ((to[kPlaces] = wires[network.sorted.wire[kPlaces]]), ...);
}
template <const RankNetwork& network, class V>
HWY_INLINE void put_sorted(const V* wires, V* to) {
  put_places<network>(wires, to, std::make_integer_sequence<int, network.sorted.count>());
}

/// One vector of columns of a block, from the top to the bottom.
template <class T, int kSide, bool kMedian>
class SquareStrip {
 public:
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  using Networks = SquareNetworks<kSide, kMedian>;
  static constexpr int kPairs = Networks::kPairs, kShared = Networks::kShared;

  SquareStrip(const T* first, long long row_step, int channels, int place)
      : first_(first), row_step_(row_step), channels_(channels), place_(place) {
    if constexpr (!kMedian)
      for (int k = 0; k < kSide; ++k) {
        using Limits = std::numeric_limits<T>;
        shared_[k] = hn::Set(D(), Limits::has_infinity ? -Limits::infinity() : Limits::min());
        shared_[kSide + kShared + k] =
            hn::Set(D(), Limits::has_infinity ? Limits::infinity() : Limits::max());
      }
  }

  /// put(row, vector) for `rows` output rows; `last` is the last row that may be read.
  template <class Put>
  HWY_INLINE void run(long long x, int rows, int last, const Put& put) {
    V before[kSide], next[kSide], top[kSide];
    for (int k = 0; k < kPairs; ++k) {
      load(x, 2 * k, tops_[k]);
      load(x, 2 * k + 1, before);
      if (k + 1 < kPairs) {
        load(x, 2 * k + 2, next);
        merge_pair(before, next, pairs_[k + 1]);
      }
    }
    for (int y = 0, slot = 0; y < rows; y += 2, slot = slot + 1 == kPairs ? 0 : slot + 1) {
      for (int k = 0; k < kSide; ++k) top[k] = tops_[slot][k];
      load(x, y + kSide - 1, next);
      for (int k = 0; k < kSide; ++k) tops_[slot][k] = next[k];
      merge_pair(before, next, pairs_[slot]);
      V wires[kShared];
      for (int pair = 0; pair < kPairs; ++pair)
        for (int k = 0; k < 2 * kSide; ++k) wires[2 * kSide * pair + k] = pairs_[pair][k];
      run_network<Networks::shared>(wires);
      put_sorted<Networks::shared>(wires, shared_ + (kMedian ? 0 : kSide));
      load(x, HWY_MIN(y + kSide, last), before);
      put(y, find(top));
      if (y + 1 < rows) put(y + 1, find(before));
    }
  }

 private:
  /// The sorted values of a row of the window.
  HWY_INLINE void load(long long x, int row, V* to) const {
    const D d;
    const T* from = first_ + row * row_step_ + x;
    V wires[kSide];
    for (int k = 0; k < kSide; ++k) wires[k] = hn::LoadU(d, from + k * channels_);
    run_network<Networks::row>(wires);
    put_sorted<Networks::row>(wires, to);
  }

  static HWY_INLINE void merge_pair(const V* a, const V* b, V* to) {
    V wires[2 * kSide];
    for (int k = 0; k < kSide; ++k) {
      wires[k] = a[k];
      wires[kSide + k] = b[k];
    }
    run_network<Networks::pair>(wires);
    put_sorted<Networks::pair>(wires, to);
  }

  /// The value at `place_` of the shared list s and a row r, both sorted: the smallest of
  /// max(s[place - j], r[j - 1]) over all j, where values before a list are smaller and values
  /// after it larger than all others.
  HWY_INLINE V find(const V* row) const {
    const V* s = kMedian ? shared_ + Networks::kMiddle : shared_ + kSide + place_;
    V least = *s;
    for (int j = 1; j <= kSide; ++j) least = hn::Min(least, hn::Max(s[-j], row[j - 1]));
    return least;
  }

  const T* first_;
  long long row_step_;
  int channels_, place_;
  V tops_[kPairs][kSide];       ///< rows that will be the first of a window
  V pairs_[kPairs][2 * kSide];  ///< those that two windows share
  V shared_[kMedian ? kShared : kShared + 2 * kSide];
};

// Rows that are made from top to bottom for one vector of columns after the other: more would no
// longer be in the nearest cache when the next vector needs them.
constexpr int kStripRows = 16;

template <class T, int kSide, bool kMedian>
void square_block(const RankBlock& b) {
  const hn::ScalableTag<T> d;
  const RankRows<T, T> rows(b);
  const int place = b.problem->place(kSide * kSide);
  for (int first = 0; first < b.rows; first += kStripRows) {
    const int count = HWY_MIN(kStripRows, b.rows - first);
    T* results[kStripRows];
    for (int k = 0; k < count; ++k) results[k] = rows.result(first + k);
    SquareStrip<T, kSide, kMedian> strip(rows.row(first), b.row_step, rows.channels, place);
    rows.each_group(rows.lanes(), [&](long long x, bool) HWY_ATTR {
      strip.run(x, count, count + kSide - 2,
                [&](int y, auto made) HWY_ATTR { hn::StoreU(made, d, results[y] + x); });
    });
  }
  if constexpr (std::is_floating_point_v<T>)
    if (rows.has_nan) replace_near_nan(rows);
  rows.finish();
}

// Medians of 3x3 are the everyday case; for larger squares a list that is cut for one rank gains a
// fifth and doubles the code.
#define TESSERA_RANK_SQUARES(type, name)                                        \
  void square_3_##name(const RankBlock& b) { square_block<type, 3, false>(b); } \
  void square_5_##name(const RankBlock& b) { square_block<type, 5, false>(b); } \
  void square_7_##name(const RankBlock& b) { square_block<type, 7, false>(b); } \
  void median_3_##name(const RankBlock& b) { square_block<type, 3, true>(b); }

TESSERA_RANK_SQUARES(unsigned char, u8)
TESSERA_RANK_SQUARES(unsigned short, u16)
TESSERA_RANK_SQUARES(float, f32)
TESSERA_RANK_SQUARES(double, f64)
#undef TESSERA_RANK_SQUARES

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

#define TESSERA_RANK_SQUARES(name)                                                                 \
  HWY_EXPORT(square_3_##name);                                                                     \
  HWY_EXPORT(square_5_##name);                                                                     \
  HWY_EXPORT(square_7_##name);                                                                     \
  HWY_EXPORT(median_3_##name);                                                                     \
  RankBlockFunction squares_of_##name(int side, bool median) {                                     \
    if (side == 7) return HWY_DYNAMIC_DISPATCH(square_7_##name);                                   \
    if (side == 5) return HWY_DYNAMIC_DISPATCH(square_5_##name);                                   \
    return median ? HWY_DYNAMIC_DISPATCH(median_3_##name) : HWY_DYNAMIC_DISPATCH(square_3_##name); \
  }

namespace {
TESSERA_RANK_SQUARES(u8)
TESSERA_RANK_SQUARES(u16)
TESSERA_RANK_SQUARES(f32)
TESSERA_RANK_SQUARES(f64)
}  // namespace
#undef TESSERA_RANK_SQUARES

RankBlockFunction rank_square_function(const RankProblem& problem) {
  const int side = problem.width;
  const bool median = problem.place(side * side) == (side * side - 1) / 2;
  switch (problem.image.type) {
    case Type::u8:
      return squares_of_u8(side, median);
    case Type::u16:
      return squares_of_u16(side, median);
    case Type::f32:
      return squares_of_f32(side, median);
    default:
      return squares_of_f64(side, median);
  }
}

}  // namespace tessera
#endif
