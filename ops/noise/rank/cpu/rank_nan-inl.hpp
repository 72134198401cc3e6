// SPDX-License-Identifier: Apache-2.0
// Networks compare all values; where a NaN is in reach, the results are made by bisection instead.
// Included once per SIMD target (after foreach_target).
#if defined(TESSERA_RANK_NAN_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_RANK_NAN_INL
#undef TESSERA_RANK_NAN_INL
#else
#define TESSERA_RANK_NAN_INL
#endif

#include "ops/noise/rank/cpu/rank_bisect-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

template <class T>
HWY_NOINLINE void replace_near_nan(const RankRows<T, T>& rows) {
  using Bisect = RankBisect<T, T>;
  Bisect bisect(rows);
  const long long step = Bisect::kVectors * rows.lanes();
  std::vector<T> last(static_cast<std::size_t>(rows.samples + step));
  for (int k = 0; k < rows.b.rows; ++k) {
    bisect.start_row(k);
    T* const to = rows.result(k);
    rows.each_group(step, [&](long long x, bool whole) HWY_ATTR {
      if (!bisect.meets_nan(x)) return;
      bisect.make(x, whole ? to : last.data());
      if (!whole) std::copy_n(last.begin(), rows.samples, to);
    });
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
