// SPDX-License-Identifier: Apache-2.0
// What the row functions share. Included once a SIMD target, after Highway.
#if defined(TESSERA_ENHANCE_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_ENHANCE_ROWS_INL
#undef TESSERA_ENHANCE_ROWS_INL
#else
#define TESSERA_ENHANCE_ROWS_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Whole vectors; the last one again reaches the end, over results that are already there. Rows
/// shorter than a vector go sample by sample.
template <class Vector, class Scalar>
HWY_INLINE void for_lanes(long long count, long long lanes, Vector vector, Scalar scalar) {
  if (count < lanes) {
    for (long long x = 0; x < count; ++x) scalar(x);
    return;
  }
  long long x = 0;
  for (; x + lanes <= count; x += lanes) vector(x);
  if (x < count) vector(count - lanes);
}

template <class D>
HWY_INLINE long long lanes_of(D d) {
  return static_cast<long long>(hn::Lanes(d));
}

/// Of integers, where Highway has it for floats alone; compilers join the two.
template <class V>
HWY_INLINE V mul_add(V a, V b, V c) {
  return hn::Add(hn::Mul(a, b), c);
}

/// Samples as lanes of a wider integer.
template <class D, class T>
HWY_INLINE hn::VFromD<D> load_wide(D d, const T* from) {
  if constexpr (sizeof(T) == sizeof(hn::TFromD<D>))
    return hn::LoadU(d, from);
  else
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<T, D>(), from));
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
