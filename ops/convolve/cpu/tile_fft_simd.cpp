// SPDX-License-Identifier: Apache-2.0
// Filtering a pair of tiles: columns of pixels are transformed slab by slab and stored transposed.
// In the transposed tile a slab is transformed, multiplied by the filter's spectrum and transformed
// back without leaving the first-level cache. Then the columns are read transposed and transformed
// back.
#include "ops/convolve/cpu/tile_fft.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/convolve/cpu/tile_fft_simd.cpp"
#include <hwy/foreach_target.h>

#include "core/fft_passes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
void transform_columns(const FftPair<T>& pair, int columns) {
  const AxisRun<T> down(*pair.down, pair.slab);
  const long long tile_row = fft_tile_row<T>(pair.down->length);
  for (int x = 0; x < columns; x += kSlabColumns<T>) {
    down.forward_turned(PixelLines<T>{pair.pixels + x, pair.pixels_row, pair.second},
                        pair.tile + x * tile_row, {tile_row});
  }
}

/// Whether no result of a slab is NaN or infinite: 0 times each result is added up, in independent
/// sums.
template <class T, class Row, class Imaginary>
bool all_finite(const Lines<T, Row, Imaginary>& results, int rows) {
  const SlabTag<T> d;
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(SlabTag<T>()));
  constexpr int kVectors = kSlabColumns<T> / kLanes;
  Complex<hn::Vec<SlabTag<T>>> sums[kVectors];
  for (auto& sum : sums) sum = {hn::Zero(d), hn::Zero(d)};
  const T* at = results.data;
  for (int row = 0; row < rows; ++row, at += results.row)
    for (int v = 0; v < kVectors; ++v) {
      const auto z = load(at + v * kLanes, results.imaginary);
      sums[v].re = hn::MulAdd(z.re, hn::Zero(d), sums[v].re);
      sums[v].im = hn::MulAdd(z.im, hn::Zero(d), sums[v].im);
    }
  auto sum = hn::Zero(d);
  for (const auto& one : sums) sum = hn::Add(sum, hn::Add(one.re, one.im));
  return hn::AllTrue(d, hn::Eq(sum, hn::Zero(d)));
}

template <class T>
bool filter_pair(const FftPair<T>& pair) {
  transform_columns(pair, pair.across->length);
  const AxisRun<T> across(*pair.across, pair.slab), down(*pair.down, pair.slab);
  const long long tile_row = fft_tile_row<T>(pair.down->length);
  const T* spectrum = pair.spectrum;
  for (int s = 0; s < pair.down->length / kSlabColumns<T>; ++s) {
    across.filter(TileLines<T>{pair.tile + s * kSlabRow<T>, tile_row, {}}, spectrum);
    spectrum += 1LL * kSlabRow<T> * pair.across->length;
  }
  bool finite = true;
  for (int x = 0; x < pair.columns; x += kSlabColumns<T>) {
    const PixelLines<T> results{pair.pixels + x, pair.pixels_row, pair.second};
    down.inverse_turned(pair.tile + x * tile_row, {tile_row}, results);
    // Results are tested, not pixels, because sums of large pixels can overflow too.
    finite = all_finite(results, pair.rows) && finite;
  }
  return finite;
}

bool filter_f32(const FftPair<float>& pair) { return filter_pair(pair); }
bool filter_f64(const FftPair<double>& pair) { return filter_pair(pair); }

void spectrum_f64(const FftPair<double>& pair, double* spectrum) {
  using T = double;
  transform_columns(pair, pair.columns);
  const long long tile_row = fft_tile_row<T>(pair.down->length);
  for (int x = (pair.columns + kSlabColumns<T> - 1) / kSlabColumns<T> * kSlabColumns<T>;
       x < pair.across->length; ++x)
    for (long long k = 0; k < tile_row; ++k) pair.tile[x * tile_row + k] = 0;
  const AxisRun<T> across(*pair.across, pair.slab);
  for (int s = 0; s < pair.down->length / kSlabColumns<T>; ++s) {
    across.forward(TileLines<T>{pair.tile + s * kSlabRow<T>, tile_row, {}});
    across.forward_last();
    for (int x = 0; x < pair.across->length; ++x, spectrum += kSlabRow<T>)
      for (int k = 0; k < kSlabRow<T>; ++k) spectrum[k] = pair.slab[1LL * x * kSlabRow<T> + k];
  }
}

template <class T>
SlabLines<T> lines_of(T* slab) {
  return {slab, {}, {}};
}
template <class T>
TileSteps<T> large_steps(const LargeFftPair<T>& pair) {
  return {kSlabRow<T>, pair.slab_samples()};
}

template <class T>
void large_columns(const LargeFftPair<T>& pair, int x, T* slab) {
  AxisRun<T>(*pair.down, slab)
      .forward_turned(lines_of(slab), pair.tile + 1LL * x * kSlabRow<T>, large_steps(pair));
}
template <class T>
void large_filter(const LargeFftPair<T>& pair, int index, const T* spectrum) {
  T* slab = pair.slab_of(index);
  AxisRun<T>(*pair.across, slab).filter(lines_of(slab), spectrum + index * pair.slab_samples());
}
template <class T>
bool large_results(const LargeFftPair<T>& pair, int x, int rows, T* slab) {
  AxisRun<T>(*pair.down, slab)
      .inverse_turned(pair.tile + 1LL * x * kSlabRow<T>, large_steps(pair), lines_of(slab));
  return all_finite(lines_of(slab), rows);
}
template <class T>
void large_spectrum(const LargeFftPair<T>& pair, int index) {
  T* slab = pair.slab_of(index);
  const AxisRun<T> across(*pair.across, slab);
  across.forward(lines_of(slab));
  across.forward_last();
  for (int x = 0; x < pair.across->length; ++x, slab += kSlabRow<T>)
    for (int k = kSlabColumns<T>; k < kSlabRow<T>; ++k) slab[k] = -slab[k];
}

LargeTileFft<float> large_f32() {
  return {large_columns<float>, large_filter<float>, large_results<float>, large_spectrum<float>};
}
LargeTileFft<double> large_f64() {
  return {large_columns<double>, large_filter<double>, large_results<double>,
          large_spectrum<double>};
}

int most_radix() { return kMostRadix; }

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {
HWY_EXPORT(filter_f32);
HWY_EXPORT(filter_f64);
HWY_EXPORT(spectrum_f64);
HWY_EXPORT(large_f32);
HWY_EXPORT(large_f64);
HWY_EXPORT(most_radix);

TileFft tile_fft() {
  return {HWY_DYNAMIC_DISPATCH(most_radix)(), HWY_DYNAMIC_DISPATCH(filter_f32),
          HWY_DYNAMIC_DISPATCH(filter_f64),   HWY_DYNAMIC_DISPATCH(spectrum_f64),
          HWY_DYNAMIC_DISPATCH(large_f32)(),  HWY_DYNAMIC_DISPATCH(large_f64)()};
}
}  // namespace tessera
#endif
