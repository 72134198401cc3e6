// SPDX-License-Identifier: Apache-2.0
// Rows filtered along x go into a ring that stays in the cache; from there tiles of output rows are
// filtered along y, with all terms added to the same sums. Once per SIMD target; the arithmetic of
// both directions is in parts/row_tiles-inl.hpp.
#include "ops/convolve/cpu/convolve_separable_cpu.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/convolve/cpu/convolve_separable_simd.cpp"
#include <hwy/foreach_target.h>

#include "core/stop.hpp"
#include "ops/convolve/cpu/convolve_rows-inl.hpp"

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

/// All terms of input row r along x.
template <class In, class T>
void make_row(const SeparableBlock& b, int r, bool plain) {
  const T* pixels = find_row<In, T>(b, r, plain);
  int t = 0;
  for (; t + 2 <= b.terms; t += 2) filter_along_x<2>(b, pixels, r, t);
  if (t < b.terms) filter_along_x<1>(b, pixels, r, t);
}

template <class In, class T, class Out>
void separable_block(const ConvolveBlock& block) {
  const auto& b = static_cast<const SeparableBlock&>(block);
  const ConvolveProblem& p = *b.problem;
  const bool straight = is_straight<T, Out>(b);
  const int needed = b.rows + p.filter_height - 1;
  const bool plain = is_plain<In, T>(b);
  for (int r = -b.rows_before; r < 0; ++r) find_row<In, T>(b, r, plain);
  for (int r = needed; r < needed + b.rows_after; ++r) find_row<In, T>(b, r, plain);
  int made = 0;
  for (int first = 0; first < b.rows; first += kRows) {
    const int count = HWY_MIN(kRows, b.rows - first), end = first + count + p.filter_height - 1;
    poll_stop();
    for (; made < end; ++made) make_row<In, T>(b, made, plain);
    RowGroup<T> g{};
    g.in = reinterpret_cast<T* const*>(b.row_starts) + first;
    g.out = straight ? reinterpret_cast<T*>(output_row<Out>(b, first)) : static_cast<T*>(b.sums);
    g.out_step = straight ? b.out_row : b.sums_step;
    g.count = count;
    g.weights = static_cast<const T*>(b.column_weights);
    g.filter_width = 1;
    g.filter_height = p.filter_height;
    g.scale = static_cast<T>(p.scale);
    g.terms = b.terms;
    g.in_term = needed;
    g.weights_term = static_cast<long long>(packed_count(1, p.filter_height));
    look_ahead<In>(b, end, g);
    sum_group(g, static_cast<long long>(b.columns) * p.image.size.channels);
    if (!straight) store_sums<Out, T>(b, first, count);
  }
}

TESSERA_BLOCK_OF_TYPES(separable_block, float)
TESSERA_BLOCK_OF_TYPES(separable_block, double)

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {
HWY_EXPORT(separable_block_float);
HWY_EXPORT(separable_block_double);

ConvolveBlockFunction separable_block_function(const ConvolveProblem& problem) {
  return problem.sums == Type::f64 ? HWY_DYNAMIC_DISPATCH(separable_block_double)
                                   : HWY_DYNAMIC_DISPATCH(separable_block_float);
}
}  // namespace tessera
#endif
