// SPDX-License-Identifier: Apache-2.0
// Small transpositions in registers, once per SIMD target. Everything moves in blocks of 16 bytes,
// which all targets can load and store: B = 4 floats or 2 doubles.
#if defined(TESSERA_TURN_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_TURN_INL
#undef TESSERA_TURN_INL
#else
#define TESSERA_TURN_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR  // a vector is one sample: nothing to transpose
template <class T>
inline constexpr int kBlock = 1;

template <class D>
HWY_INLINE void turn_blocks(D, hn::Vec<D> (&)[1]) {}
template <class D, class T>
HWY_INLINE hn::Vec<D> load_blocks(D d, const T* from, long long) {
  return hn::LoadU(d, from);
}
template <class D, class T>
HWY_INLINE void store_blocks(D d, hn::Vec<D> v, T* to, long long) {
  hn::StoreU(v, d, to);
}
#else
template <class T>
inline constexpr int kBlock = 16 / static_cast<int>(sizeof(T));

/// In every block: vector i, sample j becomes vector j, sample i. Four vectors of floats, two of
/// doubles.
template <class D>
HWY_INLINE void turn_blocks(D d, hn::Vec<D> (&m)[4]) {
  const hn::RepartitionToWide<D> wide;
  const auto ab_low = hn::BitCast(wide, hn::InterleaveLower(d, m[0], m[1]));
  const auto ab_high = hn::BitCast(wide, hn::InterleaveUpper(d, m[0], m[1]));
  const auto cd_low = hn::BitCast(wide, hn::InterleaveLower(d, m[2], m[3]));
  const auto cd_high = hn::BitCast(wide, hn::InterleaveUpper(d, m[2], m[3]));
  m[0] = hn::BitCast(d, hn::InterleaveLower(wide, ab_low, cd_low));
  m[1] = hn::BitCast(d, hn::InterleaveUpper(wide, ab_low, cd_low));
  m[2] = hn::BitCast(d, hn::InterleaveLower(wide, ab_high, cd_high));
  m[3] = hn::BitCast(d, hn::InterleaveUpper(wide, ab_high, cd_high));
}
template <class D>
HWY_INLINE void turn_blocks(D d, hn::Vec<D> (&m)[2]) {
  const auto low = hn::InterleaveLower(d, m[0], m[1]);
  m[1] = hn::InterleaveUpper(d, m[0], m[1]);
  m[0] = low;
}

/// Block k of the vector is at `from` + k * step.
template <class D, class T>
HWY_INLINE hn::Vec<D> load_blocks(D d, const T* from, long long step) {
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));
  if constexpr (kLanes == kBlock<T>) {
    return hn::LoadU(d, from);
  } else {
    const hn::Half<D> half;
    return hn::Combine(d, load_blocks(half, from + kLanes / kBlock<T> / 2 * step, step),
                       load_blocks(half, from, step));
  }
}
template <class D, class T>
HWY_INLINE void store_blocks(D d, hn::Vec<D> v, T* to, long long step) {
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));
  if constexpr (kLanes == kBlock<T>) {
    hn::StoreU(v, d, to);
  } else {
    const hn::Half<D> half;
    store_blocks(half, hn::LowerHalf(half, v), to, step);
    store_blocks(half, hn::UpperHalf(half, v), to + kLanes / kBlock<T> / 2 * step, step);
  }
}
#endif

/// Vector i of `v`, lane j is sample i of the row j: reads (writes) kBlock samples of as many rows
/// as the vector has lanes.
template <class D, class T>
HWY_INLINE void load_turned(D d, const T* from, long long row, hn::Vec<D> (&v)[kBlock<T>]) {
  for (int i = 0; i < kBlock<T>; ++i) v[i] = load_blocks(d, from + i * row, kBlock<T> * row);
  turn_blocks(d, v);
}
template <class D, class T>
HWY_INLINE void store_turned(D d, hn::Vec<D> (&v)[kBlock<T>], T* to, long long row) {
  turn_blocks(d, v);
  for (int i = 0; i < kBlock<T>; ++i) store_blocks(d, v[i], to + i * row, kBlock<T> * row);
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
