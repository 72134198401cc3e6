// SPDX-License-Identifier: Apache-2.0
// Boxes of few columns: first down the columns, then along the row by shifts between registers, so
// that nothing goes through memory in between. Included once per SIMD target, after Highway.
#if defined(TESSERA_MORPHOLOGY_NARROW_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_MORPHOLOGY_NARROW_INL
#undef TESSERA_MORPHOLOGY_NARROW_INL
#else
#define TESSERA_MORPHOLOGY_NARROW_INL
#endif

#include "ops/morphology/cpu/morphology_keys-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

/// Makes two output rows of a box from the height + 1 (>= 3) rows of pixels under both.
template <class K>
using NarrowBoxRows = void (*)(const typename K::Key* const* rows, int height,
                               typename K::Sink first, typename K::Sink second);

#if !HWY_ARCH_ARM_A64 || HWY_TARGET != HWY_NEON  // only there are whole vectors shifted at once

template <class K>
NarrowBoxRows<K> find_narrow_box(int, int) {
  return nullptr;
}

#else

/// Turns a stream of vectors into one of windows: the best of a key and the one kShift keys further
/// on. Each vector comes out when the next goes in.
template <class K, int... kShifts>
struct Shifted;

template <class K>
struct Shifted<K> {
  HWY_INLINE Shifted() {}
  HWY_INLINE typename K::V next(typename K::V v) { return v; }
};

template <class K, int kShift, int... kRest>
struct Shifted<K, kShift, kRest...> {
  using V = typename K::V;
  V last = hn::Zero(typename K::D());
  Shifted<K, kRest...> rest;

  HWY_INLINE Shifted() {}

  HWY_INLINE V next(V v) {
    const typename K::D d;
    constexpr int kBytes = kShift * static_cast<int>(sizeof(typename K::Key));
    V moved = v;
    if constexpr (kBytes < 16) moved = hn::CombineShiftRightBytes<kBytes>(d, v, last);
    const V best = K::best(last, moved);
    last = v;
    return rest.next(best);
  }
};

template <class K, int... kShifts>
void narrow_box_rows(const typename K::Key* const* rows, int height, typename K::Sink first,
                     typename K::Sink second) {
  using V = typename K::V;
  constexpr int kVectors = 4, kDelay = sizeof...(kShifts);
  const typename K::D d;
  const auto lanes = static_cast<long long>(hn::Lanes(d));
  const auto *top = rows[0], *inner = rows[1], *bottom = rows[height];
  Shifted<K, kShifts...> upper, lower;
  V above[kVectors], below[kVectors];
  const auto next = [&](long long x, auto count) HWY_ATTR {
    V shared[kVectors];
    for (int v = 0; v < count; ++v) shared[v] = hn::LoadU(d, inner + x + v * lanes);
    for (int k = 2; k < height; ++k)
      for (int v = 0; v < count; ++v)
        shared[v] = K::best(shared[v], hn::LoadU(d, rows[k] + x + v * lanes));
    for (int v = 0; v < count; ++v) {
      above[v] = upper.next(K::best(shared[v], hn::LoadU(d, top + x + v * lanes)));
      below[v] = lower.next(K::best(shared[v], hn::LoadU(d, bottom + x + v * lanes)));
    }
  };
  constexpr std::integral_constant<int, 1> kOne{};
  constexpr std::integral_constant<int, kVectors> kMany{};
  for (int k = 0; k < kDelay; ++k) next(k * lanes, kOne);
  const long long samples = first.samples();
  long long x = 0;
  for (; x + kVectors * lanes <= samples; x += kVectors * lanes) {
    next(x + kDelay * lanes, kMany);
    for (int v = 0; v < kVectors; ++v) first.put(x + v * lanes, above[v]);
    for (int v = 0; v < kVectors; ++v) second.put(x + v * lanes, below[v]);
  }
  for (; x < samples; x += lanes) {
    next(x + kDelay * lanes, kOne);
    first.put_end(x, above[0]);
    second.put_end(x, below[0]);
  }
}

template <class K, int... kShifts>
constexpr NarrowBoxRows<K> narrow_box() {
  constexpr int kLanes = 16 / static_cast<int>(sizeof(typename K::Key));
  if constexpr (((kShifts <= kLanes) && ...))
    return narrow_box_rows<K, kShifts...>;
  else
    return nullptr;
}

/// No function: such boxes are made in another way.
template <class K>
NarrowBoxRows<K> find_narrow_box(int width, int channels) {
  const auto is = [&](int its_width, int its_channels) {
    return width == its_width && channels == its_channels;
  };
  if (is(3, 1)) return narrow_box<K, 1, 1>();
  if (is(5, 1)) return narrow_box<K, 1, 2, 1>();
  if (is(7, 1)) return narrow_box<K, 1, 2, 3>();
  if (is(3, 3)) return narrow_box<K, 3, 3>();
  if (is(5, 3)) return narrow_box<K, 3, 6, 3>();
  return nullptr;
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
