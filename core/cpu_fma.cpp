// SPDX-License-Identifier: Apache-2.0
// Nothing but multiply-adds: the speed of the CPU if nothing else were needed.
#include "core/cpu_fma.hpp"

#include <cstddef>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/cpu_fma.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway requires.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Each chain waits for itself, so enough of them must run side by side to fill all units: 4 units
// of 4 cycles are 16. AVX2 has 16 registers, of which the factors take two.
constexpr int kChains = HWY_TARGET == HWY_AVX2 ? 12 : 24;

// Unrolled by index: as a loop over an array the sums would live in memory.
template <class Tag, size_t... kChain>
HWY_INLINE float SumOfChains(Tag tag, float a, float b, long long rounds,
                             std::index_sequence<kChain...>) {
  const auto factor = hn::Set(tag, a), other = hn::Set(tag, b);
  hn::Vec<Tag> sums[] = {hn::Set(tag, static_cast<float>(kChain))...};
  for (long long round = 0; round < rounds; ++round)
    ((sums[kChain] = hn::MulAdd(factor, other, sums[kChain])), ...);
  auto total = hn::Zero(tag);
  ((total = hn::Add(total, sums[kChain])), ...);
  return hn::GetLane(total);
}

double RunMultiplyAdds(long long rounds) {
  const hn::ScalableTag<float> tag;
  // Unknown to the compiler, so that it can neither add in closed form nor drop the loop.
  const volatile float one = 1.0f, small = 1e-9f;
  [[maybe_unused]] const volatile float kept =
      SumOfChains(tag, one, small, rounds, std::make_index_sequence<kChains>());
  return 2.0 * static_cast<double>(rounds) * kChains * static_cast<double>(hn::Lanes(tag));
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(RunMultiplyAdds);

double run_multiply_adds(long long rounds) { return HWY_DYNAMIC_DISPATCH(RunMultiplyAdds)(rounds); }

}  // namespace tessera
#endif
