// SPDX-License-Identifier: Apache-2.0
// Filters of 3x3 that are a row times a column, such as Sobel: each input row is filtered along x
// and, while its sums are in registers, added along y. The arithmetic is that of
// convolve_separable_simd.cpp, so are the bits.
#include "ops/convolve/cpu/convolve_separable_cpu.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/convolve/cpu/convolve_three_simd.cpp"
#include <hwy/foreach_target.h>

#include "core/stop.hpp"
#include "ops/convolve/cpu/convolve_separable_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

/// An input row, the sums along x of the two rows above it, and where its own and the output go.
template <class T>
struct ThreeRows {
  const T* pixels;
  const T *first, *second;
  T *third, *out;
  long long step;  ///< samples per pixel
};

/// The weights of both directions.
template <class T>
class ThreeByThree {
 public:
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr int kMiddle = 1, kLast = 2;

  explicit ThreeByThree(const SeparableBlock& b) : scale_(static_cast<T>(b.problem->scale)) {
    const D d;
    for (int k = 0; k <= kLast; ++k) {
      along_[k] = hn::Set(d, static_cast<const T*>(b.row_weights)[k]);
      // pack_weights: the weights of the first of kRows output rows.
      down_[k] = hn::Set(d, static_cast<const T*>(b.column_weights)[k * kRows]);
    }
  }

  /// Nothing is written after `samples` output samples; rows of sums have slack.
  HWY_INLINE void run(const ThreeRows<T>& given, long long samples) const {
    const D d;
    const ThreeRows<T> rows = given;  // a copy: stores of sums could alias the original
    const auto lanes = static_cast<long long>(hn::Lanes(d));
    long long x = 0;
    for (; x + lanes <= samples; x += lanes) hn::StoreU(sum(rows, x), d, rows.out + x);
    if (x == samples) return;
    T last[HWY_MAX_BYTES / sizeof(T)];
    hn::StoreU(sum(rows, x), d, last);
    for (long long k = 0; x + k < samples; ++k) rows.out[x + k] = last[k];
  }

 private:
  HWY_INLINE V sum(const ThreeRows<T>& rows, long long x) const {
    const D d;
    const T* HWY_RESTRICT pixel = rows.pixels + x;
    V third = hn::MulAdd(along_[0], hn::LoadU(d, pixel), hn::Zero(d));
    third = hn::MulAdd(along_[kMiddle], hn::LoadU(d, pixel + rows.step), third);
    third = hn::MulAdd(along_[kLast], hn::LoadU(d, pixel + 2 * rows.step), third);
    hn::StoreU(third, d, rows.third + x);
    V all = hn::MulAdd(down_[0], hn::LoadU(d, rows.first + x), hn::Zero(d));
    all = hn::MulAdd(down_[kMiddle], hn::LoadU(d, rows.second + x), all);
    all = hn::MulAdd(down_[kLast], third, all);
    return scale_ == T{1} ? all : hn::Mul(hn::Set(d, scale_), all);
  }

  V along_[3], down_[3];
  T scale_;
};

template <class In, class T, class Out>
void three_block(const ConvolveBlock& block) {
  const auto& b = static_cast<const SeparableBlock&>(block);
  constexpr int kAbove = 2, kPollRows = 16;
  const bool straight = is_straight<T, Out>(b), plain = is_plain<In, T>(b);
  const int channels = b.problem->image.size.channels, needed = b.rows + kAbove;
  const auto row_of = [&](int r) { return static_cast<T*>(b.row_starts[r]); };
  for (int r = -b.rows_before; r < 0; ++r) find_row<In, T>(b, r, plain);
  for (int r = needed; r < needed + b.rows_after; ++r) find_row<In, T>(b, r, plain);
  for (int r = 0; r < kAbove; ++r) filter_along_x<1>(b, find_row<In, T>(b, r, plain), r, 0);
  const ThreeByThree<T> filter(b);
  for (int row = 0; row < b.rows; ++row) {
    if (row % kPollRows == 0) poll_stop();
    T* out = straight ? reinterpret_cast<T*>(output_row<Out>(b, row)) : static_cast<T*>(b.sums);
    filter.run({find_row<In, T>(b, row + kAbove, plain), row_of(row), row_of(row + 1),
                row_of(row + kAbove), out, channels},
               static_cast<long long>(b.columns) * channels);
    if (!straight) store_sums<Out, T>(b, row, 1);
  }
}

TESSERA_BLOCK_OF_TYPES(three_block, float)

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {
HWY_EXPORT(three_block_float);
ConvolveBlockFunction three_block_function() { return HWY_DYNAMIC_DISPATCH(three_block_float); }
}  // namespace tessera
#endif
