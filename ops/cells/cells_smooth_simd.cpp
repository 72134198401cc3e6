// SPDX-License-Identifier: Apache-2.0
// The Gaussian of a frame, once a SIMD target: rows across first, then down.
#include "ops/cells/cells_blocks.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/cells/cells_smooth_simd.cpp"
#include <hwy/foreach_target.h>

#include "core/samples-inl.hpp"
#include "ops/cells/cells_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

/// Weights reach both ways: the two samples of a weight are added first.
void across_row(const SmoothBlock& b, const float* middle, float* out) {
  const float* weights = b.weights;
  const int reach = b.reach;
  for_lanes(0, b.frame.size.width, [=](auto d, long long x) HWY_ATTR {
    auto sum = hn::Mul(hn::Set(d, weights[0]), hn::LoadU(d, middle + x));
    for (int i = 1; i <= reach; ++i) {
      const auto both = hn::Add(hn::LoadU(d, middle + x - i), hn::LoadU(d, middle + x + i));
      sum = hn::MulAdd(hn::Set(d, weights[i]), both, sum);
    }
    hn::StoreU(sum, d, out + x);
  });
}

/// `rows` names the row itself at rows[reach].
void down_row(const SmoothBlock& b, const float* const* rows, float* out) {
  const float* weights = b.weights;
  const int reach = b.reach;
  for_lanes(0, b.frame.size.width, [=](auto d, long long x) HWY_ATTR {
    auto sum = hn::Mul(hn::Set(d, weights[0]), hn::LoadU(d, rows[reach] + x));
    for (int i = 1; i <= reach; ++i) {
      const auto both =
          hn::Add(hn::LoadU(d, rows[reach - i] + x), hn::LoadU(d, rows[reach + i] + x));
      sum = hn::MulAdd(hn::Set(d, weights[i]), both, sum);
    }
    hn::StoreU(sum, d, out + x);
  });
}

template <class T>
void smooth_typed(const SmoothBlock& b) {
  const View<const T> frame = b.frame.as<const T>();
  const int width = frame.size.width, height = frame.size.height;
  const int first = HWY_MAX(0, b.rows.first - b.reach), end = HWY_MIN(height, b.rows.end + b.reach);
  float *padded = b.scratch, *across = padded + width + 2 * b.reach;
  for (int y = first; y < end; ++y) {
    load_padded<float>(&frame.at(0, y), frame.pixel, width, 1, Border::replicate, 0.0F, -b.reach,
                       width + 2 * b.reach, padded);
    across_row(b, padded + b.reach, across + static_cast<long long>(y - first) * width);
  }
  const float* rows[2 * kMostSmoothReach + 1];
  for (int y = b.rows.first; y < b.rows.end; ++y) {
    for (int i = -b.reach; i <= b.reach; ++i)
      rows[i + b.reach] =
          across + static_cast<long long>(HWY_MIN(HWY_MAX(y + i, 0), height - 1) - first) * width;
    down_row(b, rows, b.out + static_cast<long long>(y) * width);
  }
}

void smooth(const SmoothBlock& b) {
  switch (b.frame.type) {
    case Type::u8:
      return smooth_typed<std::uint8_t>(b);
    case Type::u16:
      return smooth_typed<std::uint16_t>(b);
    case Type::f32:
      return smooth_typed<float>(b);
    case Type::f64:
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
