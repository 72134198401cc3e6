// SPDX-License-Identifier: Apache-2.0
/// A random filter that a method of convolve takes.
#pragma once

#include <string>
#include <vector>

#include "tessera/filters.hpp"
#include "tests/support/poison.hpp"

namespace tessera::testing {

inline std::vector<double> random_weights(int count, unsigned seed) {
  const Image values = random_image({count, 1}, Type::f64, seed);
  const double* first = values.as<double>().data;
  return {first, first + count};
}

/// The same weight everywhere for `running`, products of a row and a column for `separable`, sums
/// of two of them for `lowrank` where that is worth its while, any weights for the others.
inline Image filter_for(const std::string& method, Size size, unsigned seed) {
  if (method == "running")
    return outer(std::vector<double>(static_cast<std::size_t>(size.width), 1.0),
                 std::vector<double>(static_cast<std::size_t>(size.height), 0.37));
  if (method != "separable" && method != "lowrank") return random_image(size, Type::f64, seed);
  Image one = outer(random_weights(size.width, seed), random_weights(size.height, seed + 1000));
  if (method == "separable") return one;
  const Image two =
      outer(random_weights(size.width, seed + 2000), random_weights(size.height, seed + 3000));
  Image both({size.width, size.height}, Type::f64);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      both.as<double>().at(x, y) = one.as<double>().at(x, y) + two.as<double>().at(x, y);
  return low_rank(both.view()).terms.empty() ? std::move(one) : std::move(both);
}

}  // namespace tessera::testing
