// SPDX-License-Identifier: Apache-2.0
// The direct method on plain rows, once per SIMD target; the arithmetic is parts/row_tiles-inl.hpp.
#include "ops/convolve/cpu/convolve_direct_cpu.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/convolve/cpu/convolve_direct_simd.cpp"
#include <hwy/foreach_target.h>

#include "core/stop.hpp"
#include "ops/convolve/cpu/convolve_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

template <class In, class T, class Out>
void direct_block(const ConvolveBlock& block) {
  const auto& b = static_cast<const DirectBlock&>(block);
  const ConvolveProblem& p = *b.problem;
  const int channels = p.image.size.channels;
  const bool straight = is_straight<T, Out>(b);
  T* const* rows = reinterpret_cast<T* const*>(b.row_starts);
  int loaded = 0;
  for (int first = 0; first < b.rows; first += kRows) {
    poll_stop();
    const int count = HWY_MIN(kRows, b.rows - first), end = first + count + p.filter_height - 1;
    for (; loaded < end; ++loaded) load_row<In>(b, loaded, rows[loaded]);
    RowGroup<T> g{};
    g.in = rows + first;
    g.out = straight ? reinterpret_cast<T*>(output_row<Out>(b, first)) : static_cast<T*>(b.sums);
    g.out_step = straight ? b.out_row : b.sums_step;
    g.count = count;
    g.weights = static_cast<const T*>(b.weights);
    g.filter_width = p.filter_width;
    g.filter_height = p.filter_height;
    g.pixel_step = channels;
    g.scale = static_cast<T>(p.scale);
    g.terms = 1;
    look_ahead<In>(b, end, g);
    sum_group(g, static_cast<long long>(b.columns) * channels);
    if (!straight) store_sums<Out, T>(b, first, count);
  }
}

TESSERA_BLOCK_OF_TYPES(direct_block, float)
TESSERA_BLOCK_OF_TYPES(direct_block, double)

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {
HWY_EXPORT(direct_block_float);
HWY_EXPORT(direct_block_double);

ConvolveBlockFunction direct_block_function(const ConvolveProblem& problem) {
  return problem.sums == Type::f64 ? HWY_DYNAMIC_DISPATCH(direct_block_double)
                                   : HWY_DYNAMIC_DISPATCH(direct_block_float);
}
}  // namespace tessera
#endif
