// SPDX-License-Identifier: Apache-2.0
// Helpers shared by the row functions. Included once per SIMD target, after Highway.
#if defined(TESSERA_ENHANCE_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_ENHANCE_ROWS_INL
#undef TESSERA_ENHANCE_ROWS_INL
#else
#define TESSERA_ENHANCE_ROWS_INL
#endif

#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Whole vectors; the last one ends at the end of the row and overlaps results that are already
/// there. Rows shorter than a vector are processed sample by sample.
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

/// For integers, since Highway has it only for floats; compilers fuse the two.
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

#if HWY_TARGET != HWY_SCALAR  // its single lane has no halves

/// The lower halves of two vectors' lanes; lanes of 16 bits are below 256.
template <class DT, class V>
HWY_INLINE hn::VFromD<DT> narrow_two(DT dt, V low, V high) {
#if !HWY_ARCH_ARM_A64
  if constexpr (sizeof(hn::TFromD<DT>) == 1) {
    const hn::Half<DT> half;
    const hn::RebindToSigned<hn::DFromV<V>> di;
    return hn::Combine(dt, hn::DemoteTo(half, hn::BitCast(di, high)),
                       hn::DemoteTo(half, hn::BitCast(di, low)));
  }
#endif
  return hn::ConcatEven(dt, hn::BitCast(dt, high), hn::BitCast(dt, low));
}

/// A vector of samples as two vectors of lanes twice as wide. ARM widens as it adds or multiplies,
/// from one load; x86 widens as it loads.
template <class D, class DT>
HWY_INLINE void load_two_wide(D d, DT dt, const hn::TFromD<DT>* from, hn::VFromD<D>& low,
                              hn::VFromD<D>& high) {
  const hn::Half<DT> half;
#if HWY_ARCH_ARM_A64
  const auto v = hn::LoadU(dt, from);
  low = hn::PromoteTo(d, hn::LowerHalf(half, v));
  high = hn::PromoteTo(d, hn::UpperHalf(half, v));
#else
  (void)dt;
  low = hn::PromoteTo(d, hn::LoadU(half, from));
  high = hn::PromoteTo(d, hn::LoadU(half, from + hn::Lanes(half)));
#endif
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
