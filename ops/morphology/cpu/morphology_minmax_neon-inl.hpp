// SPDX-License-Identifier: Apache-2.0
// ARM's minimum and maximum in which NaN wins and -0 is less than 0. Highway has only those that
// prefer numbers (FMINNM, FMAXNM). Included once per SIMD target, after Highway.
#if defined(TESSERA_MINMAX_NEON_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_MINMAX_NEON_INL
#undef TESSERA_MINMAX_NEON_INL
#else
#define TESSERA_MINMAX_NEON_INL
#endif

#include <hwy/highway.h>

#if HWY_ARCH_ARM_A64 && HWY_TARGET == HWY_NEON
HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

using F32 = hwy::HWY_NAMESPACE::Vec128<float>;
using F64 = hwy::HWY_NAMESPACE::Vec128<double>;

HWY_INLINE F32 nan_min(F32 a, F32 b) { return F32(vminq_f32(a.raw, b.raw)); }
HWY_INLINE F32 nan_max(F32 a, F32 b) { return F32(vmaxq_f32(a.raw, b.raw)); }
HWY_INLINE F64 nan_min(F64 a, F64 b) { return F64(vminq_f64(a.raw, b.raw)); }
HWY_INLINE F64 nan_max(F64 a, F64 b) { return F64(vmaxq_f64(a.raw, b.raw)); }

/// While it exists, instructions that produce NaN give this thread the positive quiet NaN, and
/// nothing else that the caller may have set takes effect (flushing subnormal numbers, traps). Both
/// ends clobber memory, which keeps all loads and stores, and the work between them, inside.
class OneNan {
 public:
  OneNan() {
    asm volatile("mrs %0, fpcr" : "=r"(before_)::"memory");
    set(1U << 25);  // DN: default NaN
  }
  ~OneNan() { set(before_); }
  OneNan(const OneNan&) = delete;
  OneNan& operator=(const OneNan&) = delete;

 private:
  static void set(unsigned long long mode) { asm volatile("msr fpcr, %0" ::"r"(mode) : "memory"); }
  unsigned long long before_;
};

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();
#else
HWY_BEFORE_NAMESPACE();
namespace tessera::HWY_NAMESPACE {
struct OneNan {};  // keys have it already
}  // namespace tessera::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif
