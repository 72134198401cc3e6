// SPDX-License-Identifier: Apache-2.0
// Transposing spectra in square tiles as wide as one 16-byte vector, once per SIMD target. Pixels
// that are not contiguous are copied one by one.
#include "ops/faraday/clean/cpu/faraday_clean_turn.hpp"

#include <hwy/cache_control.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/faraday/clean/cpu/faraday_clean_turn_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// One tile: lines `from_step` apart become columns of lines `to_step` apart.
#if HWY_TARGET == HWY_SCALAR
template <class Real>
HWY_INLINE void turn(const Real* from, long long from_step, Real* to, long long to_step) {
  constexpr int kSide = static_cast<int>(16 / sizeof(Real));
  for (int k = 0; k < kSide; ++k)
    for (int i = 0; i < kSide; ++i) to[i * to_step + k] = from[k * from_step + i];
}
#else
HWY_INLINE void turn(const float* from, long long from_step, float* to, long long to_step) {
  const hn::FixedTag<float, 4> d;
  const auto a = hn::LoadU(d, from), b = hn::LoadU(d, from + from_step);
  const auto c = hn::LoadU(d, from + 2 * from_step), e = hn::LoadU(d, from + 3 * from_step);
  const auto ac_low = hn::InterleaveLower(d, a, c), ac_high = hn::InterleaveUpper(d, a, c);
  const auto be_low = hn::InterleaveLower(d, b, e), be_high = hn::InterleaveUpper(d, b, e);
  hn::StoreU(hn::InterleaveLower(d, ac_low, be_low), d, to);
  hn::StoreU(hn::InterleaveUpper(d, ac_low, be_low), d, to + to_step);
  hn::StoreU(hn::InterleaveLower(d, ac_high, be_high), d, to + 2 * to_step);
  hn::StoreU(hn::InterleaveUpper(d, ac_high, be_high), d, to + 3 * to_step);
}
HWY_INLINE void turn(const double* from, long long from_step, double* to, long long to_step) {
  const hn::FixedTag<double, 2> d;
  const auto a = hn::LoadU(d, from), b = hn::LoadU(d, from + from_step);
  hn::StoreU(hn::InterleaveLower(d, a, b), d, to);
  hn::StoreU(hn::InterleaveUpper(d, a, b), d, to + to_step);
}
#endif

/// Planes that are prefetched: their rows lie in separate pages, which the hardware does not fetch
/// in time.
constexpr int kAhead = 16;

/// Walks over all tiles; calls `tile(planes, row)` if the pixels are contiguous, otherwise
/// `one(value of planes, value of rows)`.
template <class Plane, class Row, class Tile, class One>
HWY_INLINE void for_tiles(const CleanTurn<Plane, Row> t, const Tile& tile, const One& one) {
  constexpr int kSide = static_cast<int>(16 / sizeof(Row));
  for (int p = 0; p < t.depths; p += kSide) {
    const int depths = HWY_MIN(kSide, t.depths - p);
    Plane* plane = t.planes + p * t.plane;
    for (int i = 0; i < t.pixels; i += kSide) {
      const int pixels = HWY_MIN(kSide, t.pixels - i);
      if (depths == kSide && pixels == kSide &&
          t.offset[i + kSide - 1] - t.offset[i] == kSide - 1) {
        tile(plane + t.offset[i], t.rows + static_cast<long long>(i) * t.stride + p);
        continue;
      }
      for (int k = 0; k < depths; ++k)
        for (int j = i; j < i + pixels; ++j)
          one(plane[k * t.plane + t.offset[j]],
              t.rows[static_cast<long long>(j) * t.stride + p + k]);
    }
  }
}

template <class Real>
HWY_INLINE void load(const CleanTurn<const Real, Real>& t) {
  for_tiles(
      t,
      [&](const Real* planes, Real* rows) HWY_ATTR {
        for (int k = 0; k < static_cast<int>(16 / sizeof(Real)); ++k)
          hwy::Prefetch(planes + (kAhead + k) * t.plane);
        turn(planes, t.plane, rows, t.stride);
      },
      [](const Real& value, Real& row) HWY_ATTR { row = value; });
}

template <class Real>
HWY_INLINE void store(const CleanTurn<Real, const Real>& t) {
  for_tiles(
      t, [&](Real* planes, const Real* rows) HWY_ATTR { turn(rows, t.stride, planes, t.plane); },
      [](Real& value, const Real& row) HWY_ATTR { value = row; });
}

void load_float(const CleanTurn<const float, float>& t) { load(t); }
void load_double(const CleanTurn<const double, double>& t) { load(t); }
void store_float(const CleanTurn<float, const float>& t) { store(t); }
void store_double(const CleanTurn<double, const double>& t) { store(t); }

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(load_float);
HWY_EXPORT(load_double);
HWY_EXPORT(store_float);
HWY_EXPORT(store_double);
CleanTurnFunctions<float> clean_turn_functions(float) {
  return {HWY_DYNAMIC_DISPATCH(load_float), HWY_DYNAMIC_DISPATCH(store_float)};
}
CleanTurnFunctions<double> clean_turn_functions(double) {
  return {HWY_DYNAMIC_DISPATCH(load_double), HWY_DYNAMIC_DISPATCH(store_double)};
}

}  // namespace tessera
#endif
