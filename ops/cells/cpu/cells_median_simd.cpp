// SPDX-License-Identifier: Apache-2.0
// The median of epochs, once per SIMD target: the values of a pixel are sorted by a sequence of
// exchanges that is the same for all lanes; unknown values are infinite and therefore come last.
#include <limits>

#include "ops/cells/cpu/cells_blocks.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/cells/cpu/cells_median_simd.cpp"
#include <hwy/foreach_target.h>

#include "ops/cells/cpu/cells_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

constexpr float kUnknown = std::numeric_limits<float>::infinity();

void mean(const MeanRow& m) {
  const float* sum = m.sum;
  const int* count = m.count;
  float* out = m.out;
  for_lanes(0, m.width, [=](auto d, long long x) HWY_ATTR {
    const hn::RebindToSigned<decltype(d)> di;
    const auto frames = hn::LoadU(di, count + x);
    const auto unknown = hn::Set(d, kUnknown);
    const auto value = hn::Div(hn::LoadU(d, sum + x), hn::ConvertTo(d, frames));
    const auto enough =
        hn::Ge(hn::ConvertTo(d, frames), hn::Set(d, static_cast<float>(kCells.known_least)));
    const auto known = hn::And(enough, hn::Lt(hn::Abs(value), unknown));
    hn::StoreU(hn::IfThenElse(known, value, unknown), d, out + x);
  });
}

/// Sorts each lane of kMostEpochs vectors.
template <class Vd>
HWY_INLINE void put_in_order(Vd (&v)[kMostEpochs]) {
  for (int end = kMostEpochs - 1; end > 0; --end)
    for (int k = 0; k < end; ++k) {
      const Vd low = hn::Min(v[k], v[k + 1]);
      v[k + 1] = hn::Max(v[k], v[k + 1]);
      v[k] = low;
    }
}

/// The middle one of the known values, or the mean of the two in the middle.
template <class D, class Vd>
HWY_INLINE Vd middle_of(D d, const Vd (&v)[kMostEpochs]) {
  Vd found = hn::Zero(d);
  const Vd unknown = hn::Set(d, kUnknown);
  for (int count = 1; count <= kMostEpochs; ++count) {
    const auto known = hn::Lt(v[count - 1], unknown);
    const Vd middle = count % 2 == 1
                          ? v[count / 2]
                          : hn::Mul(hn::Set(d, 0.5F), hn::Add(v[count / 2 - 1], v[count / 2]));
    found = hn::IfThenElse(known, middle, found);
  }
  return found;
}

void median(const MedianRow& m) {
  const float* rows[kMostEpochs];
  for (int k = 0; k < kMostEpochs; ++k) rows[k] = m.rows[k];
  float* value = m.value;
  for_lanes(0, m.width, [&, value](auto d, long long x) HWY_ATTR {
    hn::Vec<decltype(d)> v[kMostEpochs];
    for (int k = 0; k < kMostEpochs; ++k) v[k] = hn::LoadU(d, rows[k] + x);
    put_in_order(v);
    hn::StoreU(middle_of(d, v), d, value + x);
  });
  for (int x = 0; x < m.width; ++x) {
    bool known = false;
    for (const float* row : rows) known = known || row[x] < kUnknown;
    m.known[x] = known;
  }
}

void median_blocks(CellsBlocks& blocks) {
  blocks.mean = mean;
  blocks.median = median;
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(median_blocks);
void add_median_blocks(CellsBlocks& blocks) { HWY_DYNAMIC_DISPATCH(median_blocks)(blocks); }

}  // namespace tessera
#endif
