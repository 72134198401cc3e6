// SPDX-License-Identifier: Apache-2.0
// Small footprints of any shape: the comparators of the plan's network, each on a few vectors of
// outputs at once. Wires are memory in the nearest cache.
#include "ops/noise/rank/cpu/rank_block.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/noise/rank/cpu/rank_network_simd.cpp"
#include <hwy/foreach_target.h>

#include "ops/noise/rank/cpu/rank_nan-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

// Vectors that pass through a comparator together.
constexpr int kVectors = 4;

template <class T>
struct Wires {
  using D = hn::ScalableTag<T>;
  HWY_ALIGN T values[kMostWires * kVectors * hn::MaxLanes(D())];

  T* wire(int k) { return values + static_cast<std::size_t>(k) * kVectors * hn::Lanes(D()); }
};

template <class T>
HWY_INLINE void compare(T* HWY_RESTRICT low, T* HWY_RESTRICT high, RankComparator c) {
  const hn::ScalableTag<T> d;
  const std::size_t n = hn::Lanes(d);
  for (int v = 0; v < kVectors; ++v) {
    const auto a = hn::Load(d, low + v * n), b = hn::Load(d, high + v * n);
    if (c.makes_low) hn::Store(hn::Min(a, b), d, low + v * n);
    if (c.makes_high) hn::Store(hn::Max(a, b), d, high + v * n);
  }
}

template <class T>
void network_block(const RankBlock& b) {
  const hn::ScalableTag<T> d;
  const RankRows<T, T> rows(b);
  const RankProblem& p = *b.problem;
  const RankNetwork& network = *b.network;
  const long long n = rows.lanes(), step = kVectors * n;
  Wires<T> wires;
  const T* const found = wires.wire(network.sorted.wire[p.place(p.count())]);
  for (int k = 0; k < b.rows; ++k) {
    T* const to = rows.result(k);
    rows.each_group(step, [&](long long x, bool whole) HWY_ATTR {
      for (int w = 0; w < p.count(); ++w) {
        const Point at = p.pixels[static_cast<std::size_t>(w)];
        const T* from = rows.row(k + at.y) + static_cast<long long>(at.x) * rows.channels + x;
        for (int v = 0; v < kVectors; ++v)
          hn::Store(hn::LoadU(d, from + v * n), d, wires.wire(w) + v * n);
      }
      for (int c = 0; c < network.count; ++c) {
        const RankComparator comparator = network.list[c];
        compare(wires.wire(comparator.low), wires.wire(comparator.high), comparator);
      }
      std::copy_n(found, whole ? step : rows.samples, to + x);
    });
  }
  if constexpr (std::is_floating_point_v<T>)
    if (rows.has_nan) replace_near_nan(rows);
  rows.finish();
}

void network_u8(const RankBlock& b) { network_block<unsigned char>(b); }
void network_u16(const RankBlock& b) { network_block<unsigned short>(b); }
void network_f32(const RankBlock& b) { network_block<float>(b); }
void network_f64(const RankBlock& b) { network_block<double>(b); }

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(network_u8);
HWY_EXPORT(network_u16);
HWY_EXPORT(network_f32);
HWY_EXPORT(network_f64);

RankBlockFunction rank_network_function(const RankProblem& problem) {
  switch (problem.image.type) {
    case Type::u8:
      return HWY_DYNAMIC_DISPATCH(network_u8);
    case Type::u16:
      return HWY_DYNAMIC_DISPATCH(network_u16);
    case Type::f32:
      return HWY_DYNAMIC_DISPATCH(network_f32);
    default:
      return HWY_DYNAMIC_DISPATCH(network_f64);
  }
}

}  // namespace tessera
#endif
