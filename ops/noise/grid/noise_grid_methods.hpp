// SPDX-License-Identifier: Apache-2.0
/// The methods that measure the nodes of a grid.
#pragma once

#include "ops/noise/noise_problem.hpp"

namespace tessera {

struct NoiseGridProblem : NoiseProblem {
  NoiseBox steps;
  NoiseLattice nodes;
  double refine = 0;  ///< the tolerance between nodes; 0: none
};

using NoiseGridMethod = Method<NoiseGridProblem, NoiseBoxes>;
const std::vector<NoiseGridMethod>& noise_grid_methods();

/// Nanoseconds per box on one core: for cost models.
double noise_box_ns(const NoiseProblem& problem);

}  // namespace tessera
