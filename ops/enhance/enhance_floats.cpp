// SPDX-License-Identifier: Apache-2.0
#include "ops/enhance/enhance_floats.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tessera {
namespace {

/// The bin that holds the value of this rank; the rank becomes the one inside it.
std::uint64_t bin_of_rank(const std::uint64_t* counts, std::uint64_t& rank) {
  for (std::size_t bin = 0; bin < kKeyCounts; ++bin) {
    if (rank <= counts[bin]) return bin;
    rank -= counts[bin];
  }
  return kKeyCounts - 1;
}

double value_of(Type type, std::uint64_t key) {
  return type == Type::f32
             ? static_cast<double>(value_of_key<float>(static_cast<std::uint32_t>(key)))
             : value_of_key<double>(key);
}

}  // namespace

int float_contrast_sweeps(Type type) { return type == Type::f32 ? 2 : 4; }

std::size_t float_contrast_values(int sweep) { return sweep == 0 ? kKeyCounts : 2 * kKeyCounts; }

void narrow_limits(const EnhanceProblem& p, int sweep, const std::uint64_t* counts,
                   FloatLimits& limits) {
  if (sweep == 0) {
    const std::uint64_t total = std::accumulate(counts, counts + kKeyCounts, std::uint64_t{0});
    const auto rank = [&](long long share) {  // of a value that is present
      return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(rank_of(share, total)));
    };
    limits.rank =
        total > 0 ? std::array{rank(p.low), rank(p.high)} : std::array<std::uint64_t, 2>{};
  }
  if (limits.rank[0] == 0) return;  // no finite value
  const bool same = sweep == 0 || limits.prefix[0] == limits.prefix[1];
  for (std::size_t k = 0; k < 2; ++k) {
    const std::uint64_t bin = bin_of_rank(counts + (same ? 0 : k * kKeyCounts), limits.rank[k]);
    limits.prefix[k] = limits.prefix[k] << 16 | bin;
  }
  if (sweep + 1 < float_contrast_sweeps(p.image.type)) return;
  limits.low = value_of(p.image.type, limits.prefix[0]);
  limits.high = value_of(p.image.type, limits.prefix[1]);
  limits.none = !(limits.low < limits.high);
}

FloatStretch::FloatStretch(const FloatLimits& limits)
    : scale(std::isfinite(limits.high - limits.low) ? 1 : 0.5),
      low(limits.low * scale),
      range(limits.high * scale - low) {}

}  // namespace tessera
