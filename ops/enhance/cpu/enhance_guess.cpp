// SPDX-License-Identifier: Apache-2.0
#include "ops/enhance/cpu/enhance_guess.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "ops/enhance/parts/enhance_curves.cuh"

namespace tessera {
namespace {

constexpr int kLevels = 256, kInARow = 3;

/// The first of the three: below the guess, and on the side of it that is closer to the rank.
int first_value(const SweepCounts& some, long long share) {
  const auto total = std::accumulate(some.values.begin(), some.values.end(), std::uint64_t{0});
  const long long rank = rank_of(share, total);
  const int guess = value_of_rank(some.values.data(), kLevels, rank);
  const auto* counts = some.values.data();
  const auto below =
      static_cast<long long>(std::accumulate(counts, counts + guess, std::uint64_t{0}));
  const long long above = below + static_cast<long long>(counts[guess]);
  return std::clamp(rank - below < above - rank ? guess - 2 : guess - 1, 0, kLevels - kInARow);
}

}  // namespace

GuessedValues guess_limits(const EnhanceProblem& p, const SweepCounts& some_rows) {
  GuessedValues values{};
  const int low = first_value(some_rows, p.low), high = first_value(some_rows, p.high);
  for (int k = 0; k < kInARow; ++k) {
    values[static_cast<std::size_t>(k)] = static_cast<std::uint8_t>(low + k);
    values[static_cast<std::size_t>(k + kInARow)] = static_cast<std::uint8_t>(high + k);
  }
  return values;
}

bool prove_limits(const EnhanceProblem& p, const GuessedValues& values,
                  const std::array<std::uint64_t, kGuessedValues>& greater, std::uint64_t total,
                  SweepCounts& counts) {
  std::array<std::uint64_t, kLevels> at_most{};  // known for the values, the rest below them
  std::array<bool, kLevels> known{};
  for (std::size_t k = 0; k < values.size(); ++k) {
    at_most[values[k]] = total - greater[k];
    known[values[k]] = true;
  }
  at_most[kLevels - 1] = total;
  known[kLevels - 1] = true;
  counts.values.assign(kLevels, 0);
  std::uint64_t before = 0;
  for (std::size_t v = 0; v < kLevels; ++v) {
    if (!known[v]) continue;
    counts.values[v] = at_most[v] - before;
    before = at_most[v];
  }
  const auto proved = [&](long long share) {
    const auto v = static_cast<std::size_t>(
        value_of_rank(counts.values.data(), kLevels, rank_of(share, total)));
    return known[v] && (v == 0 || known[v - 1]);
  };
  return proved(p.low) && proved(p.high);
}

std::optional<ValueRanges> guess_ranges(const EnhanceProblem& p, const SweepCounts& some_rows) {
  const std::uint64_t* counts = some_rows.values.data();
  const int levels = p.levels();
  const auto total = static_cast<long long>(total_of(counts, levels));
  const long long margin = total / 1024 + 1;
  ValueRanges r;
  std::uint64_t inside = 0;
  for (std::size_t k = 0; k < 2; ++k) {
    const long long rank = rank_of(k == 0 ? p.low : p.high, static_cast<std::uint64_t>(total));
    const int first = rank <= margin ? 0 : value_of_rank(counts, levels, rank - margin);
    const int last =
        rank + margin > total ? levels - 1 : value_of_rank(counts, levels, rank + margin);
    r.first[k] = static_cast<std::uint16_t>(first);
    r.last[k] = static_cast<std::uint16_t>(last);
    inside = std::accumulate(counts + first, counts + last + 1, inside);
  }
  const bool apart = r.last[0] < r.first[1];
  return apart && inside < static_cast<std::uint64_t>(total) / 16 ? std::optional(r) : std::nullopt;
}

bool prove_ranges(const EnhanceProblem& p, const ValueRanges& r,
                  const std::array<std::uint64_t, 2>& below, std::uint64_t total,
                  SweepCounts& counts) {
  std::vector<std::uint64_t> known(counts.values.size(), 0);
  std::uint64_t before = 0;  // samples that are in `known`
  for (std::size_t k = 0; k < 2; ++k) {
    if (r.first[k] > 0) known[r.first[k] - 1U] += below[k] - before;
    before = below[k];
    for (std::size_t v = r.first[k]; v <= r.last[k]; ++v) {
      known[v] += counts.values[v];
      before += counts.values[v];
    }
  }
  if (before < total) known[r.last[1] + 1U] += total - before;
  counts.values = std::move(known);
  const auto proved = [&](long long share, std::size_t k) {
    const int v = value_of_rank(counts.values.data(), p.levels(), rank_of(share, total));
    return v >= r.first[k] && v <= r.last[k];
  };
  return proved(p.low, 0) && proved(p.high, 1);
}

}  // namespace tessera
