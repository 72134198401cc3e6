// SPDX-License-Identifier: Apache-2.0
// Helpers shared by the blocks of cells. Included once per SIMD target, after Highway.
#if defined(TESSERA_CELLS_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_CELLS_ROWS_INL
#undef TESSERA_CELLS_ROWS_INL
#else
#define TESSERA_CELLS_ROWS_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using F = hn::ScalableTag<float>;
using V = hn::Vec<F>;

template <class D>
HWY_INLINE long long lanes_of(D d) {
  return static_cast<long long>(hn::Lanes(d));
}

/// Calls work(d, x) for the whole vectors of a row, then with one-lane tags for the rest.
template <class Work>
HWY_INLINE void for_lanes(long long first, long long end, Work work) {
  const F d;
  const hn::CappedTag<float, 1> one;
  const long long lanes = lanes_of(d);
  long long x = first;
  for (; x + lanes <= end; x += lanes) work(d, x);
  for (; x < end; ++x) work(one, x);
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
