// SPDX-License-Identifier: Apache-2.0
/// Whether one separable term gives the same infinities as direct.
#pragma once

#include "ops/convolve/convolve_problem.hpp"

namespace tessera {

/// Whether products of a term's weights, in the sums' type, have the signs of the filter's weights:
/// infinity times a weight is NaN if and only if the weight is zero.
template <class T>
bool keeps_signs(const ConvolveProblem& p, const FilterSplit::Term& term) {
  const auto sign = [](double value) { return (value > 0) - (value < 0); };
  for (int j = 0; j < p.filter_height; ++j)
    for (int i = 0; i < p.filter_width; ++i)
      if (sign(static_cast<T>(p.weights[static_cast<std::size_t>(j) * p.filter_width + i])) !=
          sign(static_cast<T>(term.row[i])) * sign(static_cast<T>(term.column[j])))
        return false;
  return true;
}

}  // namespace tessera
