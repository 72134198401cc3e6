// SPDX-License-Identifier: Apache-2.0
// With m and M the pixels that count in the template and in the image, t the template minus its
// mean and v the image minus the middle of its values, both 0 where they do not count: under the
// template n = sum of m M values count, and over those
//
//     r = (sum t v - sum t sum v / n) / sqrt((sum t^2 - (sum t)^2 / n) (sum v^2 - (sum v)^2 / n))
//
// where all six sums are correlations. The differences cancel where the values vary little; what
// that can cost is known for every place, and where it is too much match_at sums again.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/pools.hpp"
#include "core/stop.hpp"
#include "ops/correlate/match/cpu/match_group.hpp"

namespace tessera {
namespace {

/// One weight per pixel: the sum over channels of `value`(a sample of the template, its weight).
template <class Value>
Convolve over_channels(const MatchProblem& p, const MatchWeights& weights,
                       const std::string& method, Value value) {
  const auto pixels = static_cast<std::size_t>(p.pixels());
  std::vector<double> sums(pixels, 0.0);
  for (std::size_t i = 0; i < p.pattern.size(); ++i)
    sums[i % pixels] += std::isnan(p.pattern[i]) ? 0 : value(weights.values[i]);
  return match_products(p, sums.data(), method);
}

/// A number and how far it may be off.
struct Bounded {
  double value, error;
};

Bounded minus_product(Bounded a, Bounded b, Bounded c, double n) {
  constexpr double kEps = std::numeric_limits<double>::epsilon();
  const double product = b.value * c.value / n;
  const double error =
      a.error + (std::abs(b.value) * c.error + std::abs(c.value) * b.error + b.error * c.error) / n;
  return {a.value - product, error + 4 * kEps * (std::abs(a.value) + std::abs(product))};
}

/// r, or nothing if the sums do not decide it to within kMatchTrusted.
std::optional<double> coefficient(Bounded tv, Bounded tt, Bounded vv) {
  if (!(tt.value > 2 * tt.error) || !(vv.value > 2 * vv.error)) return std::nullopt;
  const double norm = std::sqrt(tt.value) * std::sqrt(vv.value);
  // Each norm is off by less than 3/4 of its share, since that is less than a half.
  const double error = tv.error / norm + 0.75 * (tt.error / tt.value + vv.error / vv.value);
  if (!(error <= kMatchTrusted)) return std::nullopt;
  return std::clamp(tv.value / norm, -1.0, 1.0);
}

}  // namespace

MaskedMatch::MaskedMatch(const MatchProblem& problem, const MatchWeights& weights,
                         const std::string& method)
    : problem_(problem),
      squares_(weights.squares),
      mask_(over_channels(problem, weights, method,
                          [&](double) { return 1.0 / problem.channels(); })),
      weights_(over_channels(problem, weights, method, [](double weight) { return weight; })),
      squared_(
          over_channels(problem, weights, method, [](double weight) { return weight * weight; })) {}

void MaskedMatch::run(const MatchGroup& group, const std::vector<Convolve>& products,
                      const GroupSums& sums) const {
  const MatchProblem& p = problem_;
  const int channels = p.channels(), width = p.output.size.width;
  const long long pixels = group.pixels.channel;  // of one channel of the group
  const long long places = products[0].output().size.samples();
  const Scratch memory = host_scratch((3 * pixels + 5 * places) * sizeof(double));
  double *const counts = memory.as<double>(), *const sum = counts + pixels,
                *const square = sum + pixels;
  for (long long i = 0; i < pixels; ++i) {
    counts[i] = group.missing && std::isnan(group.pixels.first[i]) ? 0 : 1;
    sum[i] = square[i] = 0;
    for (int c = 0; c < channels; ++c) {
      const double value = group.centred[c * pixels + i];
      sum[i] += value;
      square[i] += value * value;
    }
  }
  double* const n = square + pixels;
  double *const v = n + places, *const vv = v + places, *const t = vv + places,
                *const tt = t + places;
  sums(mask_, sum, v, false);
  sums(mask_, square, vv, false);
  if (group.missing) {
    sums(mask_, counts, n, false);
    sums(weights_, counts, t, false);
    sums(squared_, counts, tt, false);
  }
  for (int c = 0; c < channels; ++c)
    sums(products[c], group.centred + c * pixels, group.result, c > 0);
  double tv_error = 0;
  for (const Convolve& one : products) tv_error += one.error_bound(group.largest);
  const double v_error = mask_.error_bound(channels * group.largest),
               vv_error = mask_.error_bound(channels * group.largest * group.largest),
               t_error = weights_.error_bound(1), tt_error = squared_.error_bound(1);
  const auto most = static_cast<double>(p.counted);
  for (long long i = 0; i < 1LL * group.rows * width; ++i) {
    if (i % width == 0) poll_stop();
    const double count = group.missing ? std::round(n[i]) : most;
    if (count < 1 || count < p.overlap * most) {
      group.result[i] = 0;
      continue;
    }
    const double all = count * channels;
    const Bounded sum_t = group.missing ? Bounded{t[i], t_error} : Bounded{0, t_error};
    const Bounded sum_tt = group.missing ? Bounded{tt[i], tt_error} : Bounded{squares_, tt_error};
    const Bounded sum_v{v[i], v_error};
    const auto found = coefficient(minus_product({group.result[i], tv_error}, sum_t, sum_v, all),
                                   minus_product(sum_tt, sum_t, sum_t, all),
                                   minus_product({vv[i], vv_error}, sum_v, sum_v, all));
    MatchPixels window = group.pixels;
    window.first += i / width * window.row + i % width;
    group.result[i] = found ? *found : match_at(p, window);
  }
}

}  // namespace tessera
