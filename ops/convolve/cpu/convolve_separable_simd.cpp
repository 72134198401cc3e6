// SPDX-License-Identifier: Apache-2.0
// Rows filtered along x go into a ring that stays in the cache; from there tiles of output rows are
// filtered along y, with all terms added to the same sums. Once per SIMD target; the arithmetic of
// both directions is in parts/row_tiles-inl.hpp.
#include "ops/convolve/cpu/convolve_separable_cpu.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/convolve/cpu/convolve_separable_simd.cpp"
#include <hwy/foreach_target.h>

#include "core/stop.hpp"
#include "ops/convolve/cpu/convolve_separable_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

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
