// SPDX-License-Identifier: Apache-2.0
// One channel of a block of pixels. The arithmetic is FaradayBandSums::add, number for number:
// lanes that do not count keep their sums.
#include "ops/faraday/bands/cpu/faraday_bands_lanes.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/faraday/bands/cpu/faraday_bands_lanes_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using BandD = hn::ScalableTag<double>;
using BandV = hn::Vec<BandD>;
using BandM = hn::Mask<BandD>;

HWY_INLINE void add_where(BandM counts, BandV value, double* sum) {
  const BandD d;
  const BandV old = hn::LoadU(d, sum);
  hn::StoreU(hn::IfThenElse(counts, hn::Add(old, value), old), d, sum);
}

void add_channel(const FaradayBandRow& row, const FaradayBandChannel& channel, double lambda2_0,
                 int count, FaradayBandBlock& sums) {
  const BandD d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const BandV lambda2 = hn::Set(d, channel.lambda2), away = hn::Set(d, channel.lambda2 - lambda2_0);
  for (int i = 0; i < count; i += lanes) {
    const BandV w = row.weight ? hn::LoadU(d, row.weight + i) : hn::Set(d, channel.weight);
    const BandV sigma = row.sigma ? hn::LoadU(d, row.sigma + i) : hn::Set(d, channel.sigma);
    const BandM counts = hn::And(
        hn::And(hn::IsFinite(hn::LoadU(d, row.q + i)), hn::IsFinite(hn::LoadU(d, row.u + i))),
        hn::And(hn::Gt(w, hn::Zero(d)), hn::IsFinite(w)));
    const BandV part = hn::Mul(w, away), noise = hn::Mul(w, sigma);
    add_where(counts, w, sums.weight + i);
    add_where(counts, part, sums.first + i);
    add_where(counts, hn::Mul(part, away), sums.second + i);
    const BandV square = hn::Mul(noise, noise), moment = hn::Mul(square, away);
    add_where(counts, square, sums.squares + i);
    add_where(counts, moment, sums.first_squares + i);
    add_where(counts, hn::Mul(moment, away), sums.second_squares + i);
    add_where(counts, hn::Set(d, channel.weight), sums.own + i);
    const BandV before = hn::LoadU(d, sums.channels + i);
    const BandM is_first = hn::Eq(before, hn::Zero(d));
    const BandV least = hn::LoadU(d, sums.least + i), most = hn::LoadU(d, sums.most + i);
    const BandM lower = hn::And(counts, hn::Or(is_first, hn::Lt(lambda2, least)));
    const BandM higher = hn::And(counts, hn::Or(is_first, hn::Gt(lambda2, most)));
    hn::StoreU(hn::IfThenElse(lower, lambda2, least), d, sums.least + i);
    hn::StoreU(hn::IfThenElse(higher, lambda2, most), d, sums.most + i);
    add_where(counts, hn::Set(d, 1), sums.channels + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(add_channel);
FaradayBandAdd faraday_band_add() { return HWY_DYNAMIC_DISPATCH(add_channel); }

}  // namespace tessera
#endif
