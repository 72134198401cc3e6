// SPDX-License-Identifier: Apache-2.0
/// Sweeps over the product of several lists: a sample by default, everything with
/// TESSERA_TEST_ALL=1.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/support/poison.hpp"

namespace tessera::testing {

/// The cases of a sweep as one index per list. The sample takes every value of every list once per
/// round, each round in other pairs. Short lists count up like digits as long as they fit into a
/// round, so that their values meet in all pairs.
template <std::size_t N>
std::vector<std::array<int, N>> sweep_cases(const std::array<int, N>& counts, int rounds = 1) {
  const int longest = *std::ranges::max_element(counts);
  std::vector<std::array<int, N>> cases;
  if (run_all()) {
    long long all = 1;
    for (const int count : counts) all *= count;
    for (long long k = 0; k < all; ++k) {
      long long rest = k;
      auto& one = cases.emplace_back();
      for (std::size_t j = N; j-- > 0; rest /= counts[j])
        one[j] = static_cast<int>(rest % counts[j]);
    }
    return cases;
  }
  for (int k = 0; k < rounds * longest; ++k) {
    const int round = k / longest, place = k % longest;
    auto& one = cases.emplace_back();
    int digit = 1;
    for (std::size_t j = 0; j < N; ++j) {
      const bool fits = counts[j] < longest && digit * counts[j] <= longest;
      one[j] = (place / (fits ? digit : 1) + round * static_cast<int>(j)) % counts[j];
      if (fits) digit *= counts[j];
    }
  }
  return cases;
}

/// Calls visit(value of the first list, value of the second, …) for every case of the sweep.
template <class Visit, class... T>
void for_cases(int rounds, const Visit& visit, const std::vector<T>&... lists) {
  const std::array<int, sizeof...(T)> counts{static_cast<int>(lists.size())...};
  for (const auto& one : sweep_cases(counts, rounds))
    [&]<std::size_t... J>(std::index_sequence<J...>) {
      const auto all = std::tie(lists...);
      visit(std::get<J>(all)[static_cast<std::size_t>(one[J])]...);
    }
  (std::index_sequence_for<T...>{});
}

/// For long ranges: `most` of the numbers first … last, both ends among them, or all.
inline std::vector<int> spread(int first, int last, int most) {
  const int count = last - first + 1;
  if (run_all()) most = count;
  std::vector<int> numbers;
  for (int k = 0; k < std::min(most, count); ++k)
    numbers.push_back(most >= count ? first + k
                                    : first + static_cast<int>((count - 1LL) * k / (most - 1)));
  return numbers;
}

}  // namespace tessera::testing
