// SPDX-License-Identifier: Apache-2.0
/// The sizes of the round objects in a film, measured in a few frames at several scales.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "ops/cells/cells_problem.hpp"
#include "ops/cells/frames/cells_samples.hpp"

namespace tessera {

/// Radii of the circles that are clear in four of the frames, of every scale, in pixels; circles
/// inside others that are clearer do not count.
std::vector<double> measure_sizes(const CellsProblem& problem, const CellsSamples& samples,
                                  Stream& stream);

/// The radii to search for where the usual ones do not fit; none if they do, or if there are too
/// few circles to tell.
std::optional<std::pair<double, double>> radii_to_search(std::vector<double> sizes);

}  // namespace tessera
