// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ops/correlate/correlate_problem.hpp"

namespace tessera {

/// Whether planes are in some sum, as the first or as the second of a pair.
struct UsedPlanes {
  explicit UsedPlanes(const CorrelateProblem& problem)
      : first(static_cast<std::size_t>(problem.planes)), second(first) {
    for (const CorrelateSum& sum : problem.sums)
      for (const PlanePair& pair : sum.pairs) {
        first[static_cast<std::size_t>(pair.first)] = true;
        second[static_cast<std::size_t>(pair.second)] = true;
      }
  }
  /// For an autocorrelation: in both lists what is in either.
  UsedPlanes both() const {
    UsedPlanes all = *this;
    for (std::size_t k = 0; k < first.size(); ++k)
      all.first[k] = all.second[k] = first[k] || second[k];
    return all;
  }
  std::vector<bool> first, second;
};

}  // namespace tessera
