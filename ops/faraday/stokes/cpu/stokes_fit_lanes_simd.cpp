// SPDX-License-Identifier: Apache-2.0
// The passes over the channels of a block of pixels. The arithmetic is stokes_add and stokes_model,
// number for number: channels that do not count add 0.
#include "ops/faraday/stokes/cpu/stokes_fit_lanes.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/faraday/stokes/cpu/stokes_fit_lanes_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// No more lanes than a block has.
using StokesD = hn::CappedTag<double, kStokesBlock>;
using StokesU = hn::RebindToUnsigned<StokesD>;
using StokesV = hn::Vec<StokesD>;

HWY_INLINE StokesV stokes_exp_lanes(StokesV x) {
  constexpr StokesSeries kSeries{};
  const StokesD d;
  const StokesU u;
  const StokesV inside =
      hn::Max(hn::Min(x, hn::Set(d, kStokesMostExponent)), hn::Set(d, -kStokesMostExponent));
  const StokesV whole = hn::Set(d, kStokesWhole);
  const StokesV shifted = hn::Add(hn::Mul(inside, hn::Set(d, kStokesLog2E)), whole);
  const StokesV n = hn::Sub(shifted, whole);
  const StokesV r = hn::Sub(hn::Sub(inside, hn::Mul(n, hn::Set(d, kStokesLn2))),
                            hn::Mul(n, hn::Set(d, kStokesLn2Rest)));
  StokesV sum = hn::Set(d, kSeries.exp[0]);
  for (int k = 1; k < kStokesExpTerms; ++k)
    sum = hn::Add(hn::Mul(sum, r), hn::Set(d, kSeries.exp[k]));
  const auto power = hn::Add(hn::ShiftLeft<52>(hn::BitCast(u, shifted)), hn::Set(u, 1023ULL << 52));
  return hn::Mul(sum, hn::BitCast(d, power));
}

HWY_INLINE StokesV stokes_log_lanes(StokesV x) {
  constexpr StokesSeries kSeries{};
  const StokesD d;
  const StokesU u;
  const hn::RebindToSigned<StokesD> i;
  const auto bits = hn::BitCast(u, x);
  StokesV power =
      hn::ConvertTo(d, hn::Sub(hn::BitCast(i, hn::ShiftRight<52>(bits)), hn::Set(i, 1023)));
  StokesV m = hn::BitCast(
      d, hn::Or(hn::And(bits, hn::Set(u, (1ULL << 52) - 1)), hn::Set(u, 1023ULL << 52)));
  const auto high = hn::Gt(m, hn::Set(d, 1.4142135623730951));
  m = hn::IfThenElse(high, hn::Mul(m, hn::Set(d, 0.5)), m);
  power = hn::IfThenElse(high, hn::Add(power, hn::Set(d, 1)), power);
  const StokesV one = hn::Set(d, 1);
  const StokesV s = hn::Div(hn::Sub(m, one), hn::Add(m, one)), square = hn::Mul(s, s);
  StokesV sum = hn::Set(d, kSeries.log[0]);
  for (int k = 1; k < 12; ++k) sum = hn::Add(hn::Mul(sum, square), hn::Set(d, kSeries.log[k]));
  return hn::Add(
      hn::Mul(power, hn::Set(d, kStokesLn2)),
      hn::Add(hn::Mul(power, hn::Set(d, kStokesLn2Rest)), hn::Mul(hn::Mul(hn::Set(d, 2), s), sum)));
}

template <int kOrder>
HWY_INLINE StokesV stokes_polynomial_lanes(const StokesV* p, const StokesChannel& channel) {
  const StokesD d;
  StokesV sum = hn::Zero(d);
  for (int j = 1; j <= kOrder; ++j)
    sum = hn::Add(sum, hn::Mul(p[j], hn::Set(d, channel.polynomial[j - 1])));
  return sum;
}

template <int kOrder, bool kLog, bool kCauchy>
void stokes_sums_lanes(StokesLanes& lanes, int first) {
  const StokesD d;
  const StokesV one = hn::Set(d, 1), zero = hn::Zero(d);
  StokesV p[kOrder + 1], slope[kOrder + 1], gram[(kOrder + 1) * (kOrder + 2) / 2];
  for (int j = 0; j <= kOrder; ++j) {
    p[j] = hn::LoadU(d, lanes.trial[j] + first);
    slope[j] = zero;
    for (int i = 0; i <= j; ++i) gram[stokes_gram_place(j, i)] = zero;
  }
  StokesV loss = zero, size = zero;
  const StokesV scale = hn::Set(d, lanes.rule->scale_squared);
  const StokesV stage = hn::LoadU(d, lanes.stage + first);
  const auto robust = hn::Gt(stage, zero), for_errors = hn::Gt(stage, one);
  for (int k = 0; k < lanes.rule->channels; ++k) {
    const StokesChannel& channel = lanes.channels[k];
    const StokesV y = hn::LoadU(d, lanes.value + k * kStokesBlock + first),
                  w = hn::LoadU(d, lanes.weight + k * kStokesBlock + first);
    const StokesV sum = stokes_polynomial_lanes<kOrder>(p, channel);
    const StokesV unit = kLog ? stokes_exp_lanes(sum) : one;
    const StokesV model = kLog ? hn::Mul(p[0], unit) : hn::Add(p[0], sum);
    const StokesV r = hn::Mul(hn::Sub(y, model), w), high = hn::Mul(model, w);
    const StokesV each = kLog ? high : w;
    StokesV pull = r, gram_weight = one;
    if constexpr (kCauchy) {
      const StokesV z = hn::Div(hn::Mul(r, r), scale), t = hn::Add(one, z);
      const StokesV slope_weight = hn::IfThenElse(robust, hn::Div(one, t), one);
      pull = hn::Mul(r, slope_weight);
      gram_weight = hn::IfThenElse(
          for_errors,
          hn::Max(hn::Div(hn::Sub(one, z), hn::Mul(t, t)), hn::Set(d, 2.220446049250313e-16)),
          slope_weight);
      loss =
          hn::Add(loss, hn::IfThenElse(robust, hn::Mul(scale, stokes_log_lanes(t)), hn::Mul(r, r)));
    } else {
      loss = hn::Add(loss, hn::Mul(r, r));
    }
    size = hn::Add(size, hn::Mul(high, high));
    StokesV derivative[kOrder + 1];
    for (int i = 0; i <= kOrder; ++i) {
      derivative[i] =
          i == 0 ? hn::Mul(unit, w) : hn::Mul(each, hn::Set(d, channel.polynomial[i - 1]));
      const StokesV weighted = kCauchy ? hn::Mul(derivative[i], gram_weight) : derivative[i];
      slope[i] = hn::Add(slope[i], hn::Mul(derivative[i], pull));
      for (int j = 0; j <= i; ++j)
        gram[stokes_gram_place(i, j)] =
            hn::Add(gram[stokes_gram_place(i, j)], hn::Mul(weighted, derivative[j]));
    }
  }
  hn::StoreU(loss, d, lanes.loss + first);
  hn::StoreU(size, d, lanes.size + first);
  for (int i = 0; i <= kOrder; ++i) {
    hn::StoreU(slope[i], d, lanes.slope[i] + first);
    for (int j = 0; j <= i; ++j)
      hn::StoreU(gram[stokes_gram_place(i, j)], d, lanes.gram[stokes_gram_place(i, j)] + first);
  }
}

template <int kOrder>
void stokes_sums_of_order(StokesLanes& lanes, int first) {
  const StokesRule& rule = *lanes.rule;
  if (rule.log)
    return rule.cauchy ? stokes_sums_lanes<kOrder, true, true>(lanes, first)
                       : stokes_sums_lanes<kOrder, true, false>(lanes, first);
  return rule.cauchy ? stokes_sums_lanes<kOrder, false, true>(lanes, first)
                     : stokes_sums_lanes<kOrder, false, false>(lanes, first);
}

void stokes_lane_sums(StokesLanes& lanes, int order, int first) {
  switch (order) {
    case 0:
      return stokes_sums_of_order<0>(lanes, first);
    case 1:
      return stokes_sums_of_order<1>(lanes, first);
    case 2:
      return stokes_sums_of_order<2>(lanes, first);
    case 3:
      return stokes_sums_of_order<3>(lanes, first);
    case 4:
      return stokes_sums_of_order<4>(lanes, first);
    default:
      return stokes_sums_of_order<5>(lanes, first);
  }
}

void stokes_lane_model(const StokesLanes& lanes, double* to) {
  const StokesD d;
  const int step = static_cast<int>(hn::Lanes(d));
  for (int first = 0; first < kStokesBlock; first += step) {
    StokesV p[kStokesTerms];
    for (int j = 0; j < kStokesTerms; ++j) p[j] = hn::LoadU(d, lanes.trial[j] + first);
    for (int k = 0; k < lanes.rule->channels; ++k) {
      const StokesV sum = stokes_polynomial_lanes<kStokesTerms - 1>(p, lanes.channels[k]);
      hn::StoreU(lanes.rule->log ? hn::Mul(p[0], stokes_exp_lanes(sum)) : hn::Add(p[0], sum), d,
                 to + k * kStokesBlock + first);
    }
  }
}

int stokes_lane_step() { return static_cast<int>(hn::Lanes(StokesD())); }

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(stokes_lane_sums);
HWY_EXPORT(stokes_lane_model);
HWY_EXPORT(stokes_lane_step);
StokesLaneWork stokes_lane_work() {
  return {HWY_DYNAMIC_DISPATCH(stokes_lane_sums), HWY_DYNAMIC_DISPATCH(stokes_lane_model),
          HWY_DYNAMIC_DISPATCH(stokes_lane_step)};
}

}  // namespace tessera
#endif
