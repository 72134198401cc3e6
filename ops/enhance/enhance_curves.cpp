// SPDX-License-Identifier: Apache-2.0
// Curves from counts; the integers themselves are in parts/enhance_curves.cuh.
#include <algorithm>

#include "ops/enhance/enhance_problem.hpp"
#include "ops/enhance/parts/enhance_curves.cuh"

namespace tessera {

long long rank_of(long long share, std::uint64_t count) { return rank_of_share(share, count); }

void make_contrast_curve(const EnhanceProblem& p, const std::uint64_t* counts, std::uint16_t* curve,
                         int& low, int& high) {
  const int levels = p.levels();
  const ContrastLimits limits = p.rule == ContrastRule::percentiles
                                    ? limits_by_shares(counts, levels, p.low, p.high)
                                    : limits_by_threshold(counts, levels, p.threshold);
  for (int v = 0; v < levels; ++v)
    curve[v] = static_cast<std::uint16_t>(contrast_value(v, limits, levels));
  low = limits.low;
  high = limits.high;
}

void make_equalise_curve(const EnhanceProblem& p, const std::uint64_t* counts,
                         std::uint16_t* curve) {
  const int levels = p.levels();
  const std::uint64_t total = total_of(counts, levels);
  const std::uint64_t* first = std::find_if(counts, counts + levels, [](auto n) { return n != 0; });
  const std::uint64_t darkest = total == 0 ? 0 : *first;
  std::uint64_t seen = 0;
  for (int v = 0; v < levels; ++v) {
    seen += counts[v];
    curve[v] = static_cast<std::uint16_t>(equalise_value(v, seen, darkest, total, levels));
  }
}

}  // namespace tessera
