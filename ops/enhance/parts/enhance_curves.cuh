// SPDX-License-Identifier: Apache-2.0
/// The integer arithmetic of contrast and equalise, the same code on the host and in CUDA kernels.
/// With M the type's largest value, `levels` is M + 1, and `counts` has one count per value.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

/// ceil(share * count), `share` in billionths. Whole billions of pixels and the rest are multiplied
/// separately: the full product would not fit 64 bits.
TESSERA_BOTH constexpr long long rank_of_share(long long share, unsigned long long count) {
  constexpr long long kWhole = 1000000000;
  const auto n = static_cast<long long>(count);
  return share * (n / kWhole) + (share * (n % kWhole) + kWhole - 1) / kWhole;
}

/// The smallest value with at least `rank` pixels at or below it.
template <class Count>
TESSERA_BOTH constexpr int value_of_rank(const Count* counts, int levels, long long rank) {
  long long seen = 0;
  for (int v = 0; v < levels; ++v) {
    seen += static_cast<long long>(counts[v]);
    if (seen >= rank) return v;
  }
  return levels - 1;
}

template <class Count>
TESSERA_BOTH constexpr unsigned long long total_of(const Count* counts, int levels) {
  unsigned long long sum = 0;
  for (int v = 0; v < levels; ++v) sum += counts[v];
  return sum;
}

/// The values that become black and white; low is -1 if the image stays as it is.
struct ContrastLimits {
  int low, high;
};

TESSERA_BOTH constexpr ContrastLimits limits_or_none(int low, int high) {
  return low < high ? ContrastLimits{low, high} : ContrastLimits{-1, -1};
}

template <class Count>
TESSERA_BOTH constexpr ContrastLimits limits_by_shares(const Count* counts, int levels,
                                                       long long low_share, long long high_share) {
  const unsigned long long total = total_of(counts, levels);
  return limits_or_none(value_of_rank(counts, levels, rank_of_share(low_share, total)),
                        value_of_rank(counts, levels, rank_of_share(high_share, total)));
}

template <class Count>
TESSERA_BOTH constexpr ContrastLimits limits_by_threshold(const Count* counts, int levels,
                                                          long long threshold) {
  int low = -1, high = -1;
  for (int v = 0; v < levels; ++v) {
    if (static_cast<long long>(counts[v]) <= threshold) continue;
    if (low < 0) low = v;
    high = v;
  }
  return limits_or_none(low, high);
}

/// The result for `v`; v itself without limits.
TESSERA_BOTH constexpr int contrast_value(int v, ContrastLimits limits, int levels) {
  if (limits.low < 0) return v;
  if (v <= limits.low) return 0;
  if (v >= limits.high) return levels - 1;
  const long long range = limits.high - limits.low;
  return static_cast<int>(((v - limits.low) * (levels - 1LL) + range / 2) / range);
}

/// The result for `v` with `seen` pixels at or below it, `darkest` pixels of the darkest value
/// present, and `total` in all. Values darker than any pixel become 0.
TESSERA_BOTH constexpr int equalise_value(int v, unsigned long long seen,
                                          unsigned long long darkest, unsigned long long total,
                                          int levels) {
  if (darkest == total) return v;
  if (seen <= darkest) return 0;
  const unsigned long long range = total - darkest;
  return static_cast<int>(((seen - darkest) * (levels - 1ULL) + range / 2) / range);
}

}  // namespace tessera
