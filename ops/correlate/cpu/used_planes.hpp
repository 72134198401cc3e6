// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ops/correlate/correlate_problem.hpp"

namespace tessera {

/// Which planes are used in a sum, as the first or as the second of a pair.
struct UsedPlanes {
  explicit UsedPlanes(const CorrelateProblem& problem)
      : first(static_cast<std::size_t>(problem.planes)), second(first) {
    for (const CorrelateSum& sum : problem.sums)
      for (const PlanePair& pair : sum.pairs) {
        first[static_cast<std::size_t>(pair.first)] = true;
        second[static_cast<std::size_t>(pair.second)] = true;
      }
  }
  /// For an autocorrelation: both lists contain the planes that either has.
  UsedPlanes both() const {
    UsedPlanes all = *this;
    for (std::size_t k = 0; k < first.size(); ++k)
      all.first[k] = all.second[k] = first[k] || second[k];
    return all;
  }
  std::vector<bool> first, second;
};

}  // namespace tessera
