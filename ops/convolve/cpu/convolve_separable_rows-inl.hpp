// SPDX-License-Identifier: Apache-2.0
// Rows of the separable method's blocks: where their pixels are, and their sums along x. Included
// once per SIMD target.
#if defined(TESSERA_CONVOLVE_SEPARABLE_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_CONVOLVE_SEPARABLE_ROWS_INL
#undef TESSERA_CONVOLVE_SEPARABLE_ROWS_INL
#else
#define TESSERA_CONVOLVE_SEPARABLE_ROWS_INL
#endif

#include "ops/convolve/cpu/convolve_rows-inl.hpp"
#include "ops/convolve/cpu/convolve_separable_cpu.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

/// Whether any of the samples is NaN or infinite: then 0 times the sample is NaN.
template <class T>
bool any_not_finite(const T* samples, long long count) {
  const hn::ScalableTag<T> d;
  const long long lanes = static_cast<long long>(hn::Lanes(d));
  const auto zero = hn::Zero(d);
  auto sum0 = zero, sum1 = zero;
  long long x = 0;
  for (; x + 2 * lanes <= count; x += 2 * lanes) {
    sum0 = hn::MulAdd(zero, hn::LoadU(d, samples + x), sum0);
    sum1 = hn::MulAdd(zero, hn::LoadU(d, samples + x + lanes), sum1);
  }
  const auto sum = hn::Add(sum0, sum1);
  bool found = !hn::AllTrue(d, hn::Eq(sum, sum));
  for (; x < count; ++x) found |= !(samples[x] * T{0} == T{0});
  return found;
}

/// Whether the block's pixels can be read in place: they have the sums' type, no gaps and no
/// border, and fill whole vectors.
template <class In, class T>
bool is_plain(const SeparableBlock& b) {
  const ConvolveProblem& p = *b.problem;
  const int first = b.first_column - p.anchor.x;
  return std::is_same_v<In, T> && b.in_pixel == p.image.size.channels && first >= 0 &&
         first + b.columns + p.filter_width - 1 <= p.image.size.width &&
         b.columns % kTileSamples == 0;
}

/// Input row r in the sums' type, in place or in the block's padded row.
template <class In, class T>
const T* find_row(const SeparableBlock& b, int r, bool plain) {
  const ConvolveProblem& p = *b.problem;
  const T* pixels = static_cast<const T*>(b.padded);
  if (plain && b.in_rows[r])
    pixels = reinterpret_cast<const T*>(b.in_rows[r]) +
             static_cast<long long>(b.first_column - p.anchor.x) * b.in_pixel;
  else
    load_row<In>(b, r, static_cast<T*>(b.padded));
  if (b.not_finite)
    b.not_finite[r] = any_not_finite(
        pixels, static_cast<long long>(b.columns + p.filter_width - 1) * p.image.size.channels);
  return pixels;
}

/// Filters N terms of input row r, from term t on, along x into the ring.
template <int N, class T>
void filter_along_x(const SeparableBlock& b, const T* pixels, int r, int t) {
  const ConvolveProblem& p = *b.problem;
  const int channels = p.image.size.channels, needed = b.rows + p.filter_height - 1;
  RowAlong<N, T> row{pixels, {}, {}, p.filter_width, channels};
  for (int n = 0; n < N; ++n) {
    row.weights[n] = static_cast<const T*>(b.row_weights) + (t + n) * (p.filter_width + kRows);
    row.out[n] = static_cast<T*>(b.row_starts[(t + n) * needed + r]);
  }
  sum_row(row, static_cast<long long>(b.columns) * channels);
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
