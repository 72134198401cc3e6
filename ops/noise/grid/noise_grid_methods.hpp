// SPDX-License-Identifier: Apache-2.0
/// What the nodes of a grid are measured by.
#pragma once

#include "ops/noise/noise_problem.hpp"

namespace tessera {

struct NoiseGridProblem : NoiseProblem {
  NoiseBox steps;
  NoiseLattice nodes;
};

using NoiseGridMethod = Method<NoiseGridProblem, NoiseBoxes>;
const std::vector<NoiseGridMethod>& noise_grid_methods();

/// Nanoseconds that a box by itself takes one core: for cost models.
double noise_box_ns(const NoiseProblem& problem);

}  // namespace tessera
