// SPDX-License-Identifier: Apache-2.0
// Sums over taps and the turn by a phase, once per SIMD target. Lanes are outputs: each is computed
// by the same operations wherever it lies in a block.
#include <cstring>

#include "ops/xengine/track/xengine_track.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/xengine/track/xengine_track_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Vectors read up to kFringeSlack floats behind the row; complete vectors are copied in part.
void turn_run(const FringeWork& work) {
  const hn::CappedTag<float, 16> d;
  using V = hn::Vec<decltype(d)>;
  const auto lanes = static_cast<int>(hn::Lanes(d));
  HWY_ALIGN float turned[2 * 16];
  for (int t = 0; t < work.count; t += lanes) {
    V x = hn::Zero(d), y = hn::Zero(d);
    if (work.taps) {
      for (int k = 0; k < kFringeTaps; ++k) {
        const V weight = hn::Set(d, work.taps[k]);
        x = hn::MulAdd(weight, hn::LoadU(d, work.re + t + k), x);
        y = hn::MulAdd(weight, hn::LoadU(d, work.im + t + k), y);
      }
    } else {
      x = hn::LoadU(d, work.re + t);
      y = hn::LoadU(d, work.im + t);
    }
    HWY_ALIGN float c[16], s[16];
    for (int k = 0; k < lanes; ++k) {
      const int at = HWY_MIN(work.skipped + t + k, kFringeRun - 1);
      c[k] = work.phases->re[static_cast<std::size_t>(at)];
      s[k] = work.phases->im[static_cast<std::size_t>(at)];
    }
    const V cosine = hn::Load(d, c), sine = hn::Load(d, s);
    const V re = hn::NegMulAdd(y, sine, hn::Mul(x, cosine));
    const V im = hn::MulAdd(y, cosine, hn::Mul(x, sine));
    hn::StoreInterleaved2(re, im, d, turned);
    const int kept = HWY_MIN(lanes, work.count - t);
    std::memcpy(work.out + 2LL * t, turned, sizeof(float) * 2 * static_cast<std::size_t>(kept));
  }
}

const char* turn_target() { return hwy::TargetName(HWY_TARGET); }

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {
HWY_EXPORT(turn_run);
HWY_EXPORT(turn_target);

void turn_fringes(const FringeWork& work) { HWY_DYNAMIC_DISPATCH(turn_run)(work); }
std::string fringe_target() { return HWY_DYNAMIC_DISPATCH(turn_target)(); }
}  // namespace tessera
#endif
