// SPDX-License-Identifier: Apache-2.0
// The Gaussian smoothing of a frame, once per SIMD target: first across rows, then down columns.
#include <algorithm>

#include "ops/cells/cpu/cells_blocks.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/cells/cpu/cells_smooth_simd.cpp"
#include <hwy/foreach_target.h>

#include "core/samples-inl.hpp"
#include "ops/cells/cpu/cells_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

/// The filter is symmetric: the two samples with the same weight are added first. `sample(d, i)` is
/// the vector i columns, or rows, away.
template <class D, class Sample>
HWY_INLINE hn::Vec<D> weigh(D d, const float* weights, Sample sample) {
  auto sum = hn::Mul(hn::Set(d, weights[0]), sample(0));
  for (int i = 1; i <= kCellsSmoothReach; ++i)
    sum = hn::MulAdd(hn::Set(d, weights[i]), hn::Add(sample(-i), sample(i)), sum);
  return sum;
}

void across_row(const CellsSmoothBlock& b, const float* middle, float* out) {
  float weights[kCellsSmoothReach + 1];  // a copy: stores to `out` might alias b.weights
  std::copy_n(b.weights, kCellsSmoothReach + 1, weights);
  for_lanes(0, b.frame.size.width, [&, middle, out](auto d, long long x) HWY_ATTR {
    const auto sample = [=](int i) HWY_ATTR { return hn::LoadU(d, middle + x + i); };
    hn::StoreU(weigh(d, weights, sample), d, out + x);
  });
}

/// `middle` is a list of rows that starts at middle[-kCellsSmoothReach].
void down_row(const CellsSmoothBlock& b, const float* const* middle, float* out) {
  float weights[kCellsSmoothReach + 1];
  std::copy_n(b.weights, kCellsSmoothReach + 1, weights);
  const float* rows[2 * kCellsSmoothReach + 1];
  std::copy_n(middle - kCellsSmoothReach, 2 * kCellsSmoothReach + 1, rows);
  for_lanes(0, b.frame.size.width, [&, out](auto d, long long x) HWY_ATTR {
    const auto sample = [&, x](int i)
                            HWY_ATTR { return hn::LoadU(d, rows[kCellsSmoothReach + i] + x); };
    hn::StoreU(weigh(d, weights, sample), d, out + x);
  });
}

template <class T>
void smooth_typed(const CellsSmoothBlock& b) {
  const View<const T> frame = b.frame.as<const T>();
  const int width = frame.size.width, height = frame.size.height;
  const int first = HWY_MAX(0, b.rows.first - kCellsSmoothReach);
  const int end = HWY_MIN(height, b.rows.end + kCellsSmoothReach);
  float *padded = b.scratch, *across = padded + width + 2 * kCellsSmoothReach;
  for (int y = first; y < end; ++y) {
    load_padded<float>(&frame.at(0, y), frame.pixel, width, 1, Border::replicate, 0.0F,
                       -kCellsSmoothReach, width + 2 * kCellsSmoothReach, padded);
    if (std::is_floating_point_v<T>) mend_row(padded, width + 2 * kCellsSmoothReach);
    across_row(b, padded + kCellsSmoothReach, across + static_cast<long long>(y - first) * width);
  }
  const float* rows[2 * kCellsSmoothReach + 1];
  for (int y = b.rows.first; y < b.rows.end; ++y) {
    for (int i = -kCellsSmoothReach; i <= kCellsSmoothReach; ++i)
      rows[i + kCellsSmoothReach] =
          across + static_cast<long long>(HWY_MIN(HWY_MAX(y + i, 0), height - 1) - first) * width;
    down_row(b, rows + kCellsSmoothReach, b.out + static_cast<long long>(y) * width);
  }
}

void smooth(const CellsSmoothBlock& b) {
  switch (b.frame.type) {
    case Type::u8:
      return smooth_typed<std::uint8_t>(b);
    case Type::u16:
      return smooth_typed<std::uint16_t>(b);
    case Type::f32:
      return smooth_typed<float>(b);
    default:
      return smooth_typed<double>(b);
  }
}

void smooth_blocks(CellsBlocks& blocks) { blocks.smooth = smooth; }

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(smooth_blocks);
void add_smooth_blocks(CellsBlocks& blocks) { HWY_DYNAMIC_DISPATCH(smooth_blocks)(blocks); }

}  // namespace tessera
#endif
