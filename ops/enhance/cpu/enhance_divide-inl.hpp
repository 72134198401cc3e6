// SPDX-License-Identifier: Apache-2.0
// Divisions of enhance_divide.hpp in lanes: sums begin with `bias`, and the lower bits of the
// result, as many as a sample has, are the quotient. Included once per SIMD target, after Highway.
#if defined(TESSERA_ENHANCE_DIVIDE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_ENHANCE_DIVIDE_INL
#undef TESSERA_ENHANCE_DIVIDE_INL
#else
#define TESSERA_ENHANCE_DIVIDE_INL
#endif

#include <hwy/highway.h>

#include "ops/enhance/cpu/enhance_divide.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D16 = hn::ScalableTag<std::uint16_t>;
using D32 = hn::ScalableTag<std::uint32_t>;
using V16 = hn::VFromD<D16>;
using V32 = hn::VFromD<D32>;

struct High16 {
  V16 bias, factor;
  int shift;
  HWY_INLINE explicit High16(const ExactDivision& d)
      : bias(hn::Set(D16(), static_cast<std::uint16_t>(d.half))),
        factor(hn::Set(D16(), static_cast<std::uint16_t>(d.factor))),
        shift(d.shift) {}
  HWY_INLINE V16 operator()(V16 sum) const {
    return hn::ShiftRightSame(hn::MulHigh(sum, factor), shift);
  }
};

struct Shifted {
  V32 bias;
  int shift;
  HWY_INLINE explicit Shifted(const ExactDivision& d)
      : bias(hn::Set(D32(), static_cast<std::uint32_t>(d.half))), shift(d.shift) {}
  HWY_INLINE V32 operator()(V32 sum) const { return hn::ShiftRightSame(sum, shift); }
};

/// Integers below 2^23 are the lower bits of the float that is 2^23 greater: both conversions and
/// the rounding become additions.
struct Rounded {
  using DF = hn::RebindToFloat<D32>;
  static constexpr float kTwo23 = 8388608.0F;
  V32 bias;
  hn::VFromD<DF> before, inverse, after;
  HWY_INLINE explicit Rounded(const ExactDivision& d)
      : bias(hn::BitCast(D32(), hn::Set(DF(), kTwo23))),
        before(hn::Set(DF(), d.total % 2 == 0 ? kTwo23 - 0.5F : kTwo23)),
        inverse(hn::Set(DF(), 1.0F / static_cast<float>(d.total))),
        after(hn::Set(DF(), kTwo23)) {}
  HWY_INLINE V32 operator()(V32 sum) const {
    const auto n = hn::Sub(hn::BitCast(DF(), sum), before);
    return hn::BitCast(D32(), hn::MulAdd(n, inverse, after));
  }
};

/// The float quotient is off by at most one, whatever was rounded: results have 16 bits, floats 24.
struct Floats {
  V32 bias;
  hn::VFromD<hn::RebindToSigned<D32>> total;
  hn::VFromD<hn::RebindToFloat<D32>> inverse;
  HWY_INLINE explicit Floats(const ExactDivision& d)
      : bias(hn::Set(D32(), static_cast<std::uint32_t>(d.half))),
        total(hn::Set(hn::RebindToSigned<D32>(), d.total)),
        inverse(hn::Set(hn::RebindToFloat<D32>(), 1.0F / static_cast<float>(d.total))) {}
  HWY_INLINE V32 operator()(V32 sum) const {
    const hn::RebindToSigned<D32> di;
    const hn::RebindToFloat<D32> df;
    const auto n = hn::BitCast(di, sum);
    const auto quotient = hn::ConvertTo(di, hn::Mul(hn::ConvertTo(df, n), inverse));
    const auto left = hn::Sub(n, hn::Mul(quotient, total));
    const auto too_much = hn::VecFromMask(di, hn::Lt(left, hn::Zero(di)));      // -1
    const auto too_little = hn::VecFromMask(di, hn::Not(hn::Lt(left, total)));  // -1
    return hn::BitCast(D32(), hn::Sub(hn::Add(quotient, too_much), too_little));
  }
};

/// Calls work(division) with the division for lanes of type Sum.
template <class Sum, class Work>
HWY_INLINE void with_division(const ExactDivision& d, Work work) {
  if constexpr (sizeof(Sum) == 2)
    work(High16(d));
  else if (d.way == ExactDivision::Way::shifted)
    work(Shifted(d));
  else if (d.way == ExactDivision::Way::rounded)
    work(Rounded(d));
  else
    work(Floats(d));
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
