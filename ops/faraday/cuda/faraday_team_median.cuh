// SPDX-License-Identifier: Apache-2.0
// The median of numbers held by the threads of a team: the count of numbers below a bound
// determines it bit by bit, until one number is left. Exact, whatever the numbers are.
#pragma once

#include "ops/faraday/cuda/faraday_team.cuh"

namespace tessera {

/// Integers in the order of doubles; no number has kNoKey, which comes after all.
inline constexpr unsigned long long kNoKey = ~0ULL;
inline constexpr unsigned long long kSignKey = 1ULL << 63;

__device__ inline unsigned long long faraday_key(double value) {
  const auto bits = static_cast<unsigned long long>(__double_as_longlong(value));
  return (bits & kSignKey) != 0 ? ~bits : bits | kSignKey;
}
__device__ inline double faraday_keyed(unsigned long long key) {
  const unsigned long long bits = (key & kSignKey) != 0 ? key ^ kSignKey : ~key;
  return __longlong_as_double(static_cast<long long>(bits));
}

/// For `count` keys, an even number above 0, and any number of kNoKey in addition: the mean of the
/// two in the middle.
template <int kThreads, int kKeys>
__device__ inline double faraday_median(FaradayTeam<kThreads>& team,
                                        const unsigned long long (&keys)[kKeys], unsigned count) {
  const unsigned rank = count / 2;
  unsigned long long bound = 0;        // no more than `rank` keys lie below
  unsigned below = 0, before = count;  // keys below it, and below the last that was too high
  for (int bit = 63; bit >= 0 && before - below > 1; --bit) {
    const unsigned long long higher = bound | 1ULL << bit;
    unsigned mine = 0;
#pragma unroll
    for (int k = 0; k < kKeys; ++k) mine += keys[k] < higher ? 1U : 0U;
    const unsigned all = team.sum(mine);
    if (all <= rank) {
      bound = higher;
      below = all;
    } else {
      before = all;
    }
  }
  unsigned long long upper = kNoKey, lower = 0;
#pragma unroll
  for (int k = 0; k < kKeys; ++k)
    if (keys[k] >= bound)
      upper = min(upper, keys[k]);
    else
      lower = max(lower, keys[k]);
  upper = team.least(upper);
  lower = team.most(lower);
  return 0.5 * (faraday_keyed(below == rank ? lower : upper) + faraday_keyed(upper));
}

}  // namespace tessera
