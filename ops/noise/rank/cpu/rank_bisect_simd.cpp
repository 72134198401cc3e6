// SPDX-License-Identifier: Apache-2.0
// Footprints of any shape and size: all values are read once per bit of the result.
#include "ops/noise/rank/cpu/rank_block.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/noise/rank/cpu/rank_bisect_simd.cpp"
#include <hwy/foreach_target.h>

#include "ops/noise/rank/cpu/rank_bisect-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

template <class In, class T>
void bisect_block(const RankBlock& b) {
  using Bisect = RankBisect<In, T>;
  const RankRows<In, T> rows(b);
  Bisect bisect(rows);
  const long long step = Bisect::kVectors * rows.lanes();
  std::vector<T> last(static_cast<std::size_t>(rows.samples + step));
  for (int k = 0; k < b.rows; ++k) {
    bisect.start_row(k);
    T* const to = rows.result(k);
    rows.each_group(step, [&](long long x, bool whole) HWY_ATTR {
      bisect.make(x, whole ? to : last.data());
      if (!whole) std::copy_n(last.begin(), rows.samples, to);
    });
  }
  rows.finish();
}

void bisect_u8(const RankBlock& b) { bisect_block<unsigned char, unsigned char>(b); }
void bisect_u8_wide(const RankBlock& b) { bisect_block<unsigned char, unsigned short>(b); }
void bisect_u16(const RankBlock& b) { bisect_block<unsigned short, unsigned short>(b); }
void bisect_f32(const RankBlock& b) { bisect_block<float, float>(b); }
void bisect_f64(const RankBlock& b) { bisect_block<double, double>(b); }

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(bisect_u8);
HWY_EXPORT(bisect_u8_wide);
HWY_EXPORT(bisect_u16);
HWY_EXPORT(bisect_f32);
HWY_EXPORT(bisect_f64);

RankBlockFunction rank_bisect_function(const RankProblem& problem) {
  switch (problem.image.type) {
    case Type::u8:
      return rank_work_type(problem) == Type::u8 ? HWY_DYNAMIC_DISPATCH(bisect_u8)
                                                 : HWY_DYNAMIC_DISPATCH(bisect_u8_wide);
    case Type::u16:
      return HWY_DYNAMIC_DISPATCH(bisect_u16);
    case Type::f32:
      return HWY_DYNAMIC_DISPATCH(bisect_f32);
    default:
      return HWY_DYNAMIC_DISPATCH(bisect_f64);
  }
}

}  // namespace tessera
#endif
