// SPDX-License-Identifier: Apache-2.0
// Products of panels, once per SIMD target: lanes are columns, four rows by some vectors of sums
// stay in registers while a run of samples passes. Then they are added up in double.
//
// Integers of 8 bits are exact: a run's sums are at most 256 * 2^15 = 2^23. Those of 16 bits are in
// double throughout.
#include "ops/xengine/cpu/xengine_fma.hpp"

#include "tessera/xengine.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/xengine/cpu/xengine_fma_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int kRows = 4;

/// Vectors of columns: 24 sums, 6 vectors of columns and the rows fill the 32 registers of NEON and
/// AVX-512; AVX2 has 16. Doubles on NEON use two, so that the width is a multiple of the rows.
template <class T>
constexpr int vectors() {
  const int lanes = static_cast<int>(hn::MaxLanes(hn::ScalableTag<T>()));
  const bool few_registers = HWY_ARCH_X86 && HWY_TARGET >= HWY_AVX2;
  if (few_registers) return lanes < kRows ? kRows / lanes : 1;
  return sizeof(T) == 4 ? 3 : 2;
}
template <class T>
constexpr int width() {
  return vectors<T>() * static_cast<int>(hn::MaxLanes(hn::ScalableTag<T>()));
}

/// One part of four rows at one time. NEON multiplies by a lane of a vector; other targets
/// broadcast each number as they load it.
template <class D>
struct RowParts {
  using T = hn::TFromD<D>;
#if HWY_TARGET == HWY_NEON
  static constexpr int kLanes = 16 / sizeof(T);
  hn::Vec<D> packed[kRows / kLanes];
  HWY_INLINE RowParts(D d, const T* from) {
    for (int i = 0; i < kRows / kLanes; ++i) packed[i] = hn::LoadU(d, from + i * kLanes);
  }
  template <int kRow>
  HWY_INLINE hn::Vec<D> get(D) const {
    return hn::Broadcast<kRow % kLanes>(packed[kRow / kLanes]);
  }
#else
  const T* packed;
  HWY_INLINE RowParts(D, const T* from) : packed(from) {}
  template <int kRow>
  HWY_INLINE hn::Vec<D> get(D d) const {
    return hn::Set(d, packed[kRow]);
  }
#endif
};

/// Sums of four rows by a panel of columns.
template <class D>
struct RowSums {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  static constexpr int kVectors = vectors<T>(), kWidth = width<T>();
  V re[kRows][kVectors], im[kRows][kVectors];

  HWY_INLINE explicit RowSums(D d) {
    for (int r = 0; r < kRows; ++r)
      for (int v = 0; v < kVectors; ++v) re[r][v] = im[r][v] = hn::Zero(d);
  }
  HWY_INLINE RowSums(D d, const T* begun) {
    const auto lanes = static_cast<int>(hn::MaxLanes(d));
    for (int r = 0; r < kRows; ++r)
      for (int v = 0; v < kVectors; ++v) {
        re[r][v] = hn::LoadU(d, begun + 2 * r * kWidth + v * lanes);
        im[r][v] = hn::LoadU(d, begun + (2 * r + 1) * kWidth + v * lanes);
      }
  }

  template <int kRow>
  HWY_INLINE void add_row(D d, const RowParts<D>& ar, const RowParts<D>& ai, const V* br,
                          const V* bi) {
    const V real = ar.template get<kRow>(d), imaginary = ai.template get<kRow>(d);
    for (int v = 0; v < kVectors; ++v) {
      re[kRow][v] = hn::MulAdd(br[v], real, re[kRow][v]);
      im[kRow][v] = hn::MulAdd(br[v], imaginary, im[kRow][v]);
      re[kRow][v] = hn::MulAdd(bi[v], imaginary, re[kRow][v]);
      im[kRow][v] = hn::NegMulAdd(bi[v], real, im[kRow][v]);
    }
  }

  HWY_INLINE void add(D d, const T* rows, const T* columns, int samples) {
    const auto lanes = static_cast<int>(hn::MaxLanes(d));
    for (int t = 0; t < samples; ++t, rows += 2 * kWidth, columns += 2 * kWidth) {
      const RowParts<D> ar(d, rows), ai(d, rows + kWidth);
      V br[kVectors], bi[kVectors];
      for (int v = 0; v < kVectors; ++v) {
        br[v] = hn::Load(d, columns + v * lanes);
        bi[v] = hn::Load(d, columns + kWidth + v * lanes);
      }
      add_row<0>(d, ar, ai, br, bi);
      add_row<1>(d, ar, ai, br, bi);
      add_row<2>(d, ar, ai, br, bi);
      add_row<3>(d, ar, ai, br, bi);
    }
  }

  HWY_INLINE void store(D d, T* to) const {
    const auto lanes = static_cast<int>(hn::MaxLanes(d));
    for (int r = 0; r < kRows; ++r)
      for (int v = 0; v < kVectors; ++v) {
        hn::StoreU(re[r][v], d, to + 2 * r * kWidth + v * lanes);
        hn::StoreU(im[r][v], d, to + (2 * r + 1) * kWidth + v * lanes);
      }
  }
  HWY_INLINE void add_to(D d, double* results) const {
    constexpr int kParts = kRows * 2 * kWidth;
    HWY_ALIGN T parts[kParts];
    store(d, parts);
    for (int k = 0; k < kParts; ++k) results[k] += parts[k];
  }
};

template <class T>
HWY_INLINE void multiply(const XEngineFmaTile<T>& tile) {
  const hn::ScalableTag<T> d;
  constexpr int kWidth = width<T>();
  for (int t = 0, phase = tile.phase; t < tile.samples; phase = 0) {
    const int left = kFloatRun - phase, samples = HWY_MIN(left, tile.samples - t);
    for (int row = 0; row < tile.row_count; row += kRows) {
      using Sums = RowSums<decltype(d)>;
      const auto place = 2LL * row * kWidth;
      Sums sums = phase > 0 ? Sums(d, tile.run + place) : Sums(d);
      sums.add(d, tile.rows + 2LL * t * kWidth + row, tile.columns + 2LL * t * kWidth, samples);
      if (samples < left && tile.run)
        sums.store(d, tile.run + place);
      else
        sums.add_to(d, tile.results + place);
    }
    t += samples;
  }
}

void multiply_f32(const XEngineFmaTile<float>& tile) { multiply(tile); }
void multiply_f64(const XEngineFmaTile<double>& tile) { multiply(tile); }
int width_f32() { return width<float>(); }
int width_f64() { return width<double>(); }

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {
HWY_EXPORT(multiply_f32);
HWY_EXPORT(multiply_f64);
HWY_EXPORT(width_f32);
HWY_EXPORT(width_f64);

template <>
XEngineFma<float> xengine_fma<float>() {
  return {HWY_DYNAMIC_DISPATCH(width_f32)(), HWY_DYNAMIC_DISPATCH(multiply_f32)};
}
template <>
XEngineFma<double> xengine_fma<double>() {
  return {HWY_DYNAMIC_DISPATCH(width_f64)(), HWY_DYNAMIC_DISPATCH(multiply_f64)};
}
}  // namespace tessera
#endif
