// SPDX-License-Identifier: Apache-2.0
// Rows filtered along x go into a ring that stays in the cache; from there tiles of output rows are
// filtered along y, all terms into the same sums. Once a SIMD target; the arithmetic of both ways
// is parts/row_tiles-inl.hpp.
#include "ops/convolve/convolve_separable_cpu.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/convolve/convolve_separable_simd.cpp"
#include <hwy/foreach_target.h>

#include "ops/convolve/convolve_rows-inl.hpp"
#include "ops/convolve/parts/row_tiles-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

/// Whether any of the samples is NaN or infinite: 0 times it is NaN then.
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

/// Input rows from `r` on, at most kRows, into the block's padded rows.
template <class In, class T>
void load_some(const SeparableBlock& b, int r, int count) {
  const long long samples = static_cast<long long>(b.columns + b.problem->filter_width - 1) *
                            b.problem->image.size.channels;
  for (int k = 0; k < count; ++k) {
    T* to = static_cast<T*>(b.padded) + k * b.padded_step;
    load_row<In>(b, r + k, to);
    if (b.not_finite) b.not_finite[r + k] = any_not_finite(to, samples);
  }
}

/// Filters the padded rows, which are input rows from `r` on, along x into the ring.
template <class T>
void filter_along_x(const SeparableBlock& b, int r, int count) {
  const ConvolveProblem& p = *b.problem;
  const T* in[kRows];
  for (int k = 0; k < kRows; ++k) in[k] = static_cast<const T*>(b.padded) + k * b.padded_step;
  RowGroup<T> g{};
  g.in = in;
  g.out_step = b.ring_step;
  g.count = count;
  g.filter_width = p.filter_width;
  g.filter_height = 1;
  g.pixel_step = p.image.size.channels;
  g.scale = 1;
  g.terms = 1;
  for (int t = 0; t < b.terms; ++t) {
    g.out = static_cast<T*>(b.row_starts[t * (b.rows + p.filter_height - 1) + r]);
    g.weights = static_cast<const T*>(b.row_weights) + t * packed_count(p.filter_width, 1);
    sum_group(g, static_cast<long long>(b.columns) * p.image.size.channels);
  }
}

template <class In, class T, class Out>
void separable_block(const ConvolveBlock& block) {
  const auto& b = static_cast<const SeparableBlock&>(block);
  const ConvolveProblem& p = *b.problem;
  const bool straight = is_straight<T, Out>(b);
  const int needed = b.rows + p.filter_height - 1;
  for (int r = -b.rows_before; r < 0; ++r) load_some<In, T>(b, r, 1);
  for (int r = needed; r < needed + b.rows_after; ++r) load_some<In, T>(b, r, 1);
  int loaded = 0;
  for (int first = 0; first < b.rows; first += kRows) {
    const int count = HWY_MIN(kRows, b.rows - first);
    while (loaded < first + count + p.filter_height - 1) {
      const int some = HWY_MIN(kRows, needed - loaded);
      load_some<In, T>(b, loaded, some);
      filter_along_x<T>(b, loaded, some);
      loaded += some;
    }
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
