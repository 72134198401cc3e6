// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sample/points.hpp"

namespace tessera {

/// Sources at random positions of the image, ordered from top to bottom. Throws Error(usage) if
/// that many do not fit with the given separation.
std::vector<PointSource> place_points(const Size& size, std::uint64_t seed,
                                      const PointsOptions& options);

}  // namespace tessera
