// SPDX-License-Identifier: Apache-2.0
/// From options to the problem that methods see. All throw Error(usage) with what would be right.
#pragma once

#include "ops/noise/noise_problem.hpp"
#include "tessera/percentile_filter.hpp"

namespace tessera {

/// For modes exact and binned, and for the nodes of mode grid (whose problem has mode exact).
NoiseProblem make_noise_problem(const ImageInfo& image, const NoiseOptions& options);

/// The distance of nodes in mode grid: as requested, or a quarter of the box.
NoiseBox noise_grid_steps(const NoiseOptions& options);

NoiseProblem make_percentile_problem(const ImageInfo& image, double percentile,
                                     const PercentileOptions& options);

}  // namespace tessera
