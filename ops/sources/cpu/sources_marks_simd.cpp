// SPDX-License-Identifier: Apache-2.0
// Which pixels are significant, once per SIMD target. All arithmetic is in double, so that f32 rows
// and the reference agree to the bit.
#include <algorithm>
#include <cstring>
#include <limits>

#include "ops/sources/cpu/sources_marks.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/sources/cpu/sources_marks_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, 8>;

HWY_INLINE hn::Vec<Doubles> load_doubles(Doubles d, const double* from) {
  return hn::LoadU(d, from);
}
HWY_INLINE hn::Vec<Doubles> load_doubles(Doubles d, const float* from) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, Doubles>(), from));
}

/// Bits of up to 64 pixels; `valid` grows by those that are not blank.
template <class T>
HWY_INLINE std::uint64_t marks_of_block(const T* image, const T* background, const T* rms,
                                        int count, double turned, double level, long long& valid) {
  const Doubles d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto most = hn::Set(d, std::numeric_limits<double>::max());
  const auto sign = hn::Set(d, turned), grow = hn::Set(d, level), zero = hn::Zero(d);
  std::uint64_t bits = 0;
  for (int x = 0; x < count; x += lanes) {
    const auto noise = load_doubles(d, rms + x);
    const auto above =
        hn::Mul(sign, hn::Sub(load_doubles(d, image + x), load_doubles(d, background + x)));
    const auto good =
        hn::And(hn::And(hn::Le(hn::Abs(above), most), hn::Gt(noise, zero)), hn::Le(noise, most));
    const auto marked = hn::And(good, hn::Ge(above, hn::Mul(grow, noise)));
    valid += static_cast<long long>(hn::CountTrue(d, good));
    if (hn::AllFalse(d, marked)) continue;
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, marked, bytes);
    bits |= static_cast<std::uint64_t>(bytes[0]) << x;
  }
  return bits;
}

template <class T>
HWY_INLINE long long mark_row(const SourceMarkRow& row) {
  const T* image = static_cast<const T*>(row.image);
  const T* background = static_cast<const T*>(row.background);
  const T* rms = static_cast<const T*>(row.rms);
  long long valid = 0;
  int x = 0;
  for (; x + 64 <= row.width; x += 64)
    row.bits[x / 64] =
        marks_of_block(image + x, background + x, rms + x, 64, row.sign, row.grow, valid);
  if (x == row.width) return valid;
  // The last pixels, with blanks behind them.
  T tail[3][64] = {};
  const auto bytes = static_cast<std::size_t>(row.width - x) * sizeof(T);
  std::memcpy(tail[0], image + x, bytes);
  std::memcpy(tail[1], background + x, bytes);
  std::memcpy(tail[2], rms + x, bytes);
  row.bits[x / 64] = marks_of_block(tail[0], tail[1], tail[2], 64, row.sign, row.grow, valid);
  return valid;
}

long long mark_row_f32(const SourceMarkRow& row) { return mark_row<float>(row); }
long long mark_row_f64(const SourceMarkRow& row) { return mark_row<double>(row); }

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {
HWY_EXPORT(mark_row_f32);
HWY_EXPORT(mark_row_f64);

SourceMarkFunction source_mark_function(Type type) {
  if (type == Type::f32) return HWY_DYNAMIC_DISPATCH(mark_row_f32);
  return HWY_DYNAMIC_DISPATCH(mark_row_f64);
}
}  // namespace tessera
#endif
