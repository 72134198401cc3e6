// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sample/points.hpp"

namespace tessera {

/// Sources at random places of the image, ordered from top to bottom. Throws Error(usage) when so
/// many do not fit at the separation asked for.
std::vector<PointSource> place_points(const Size& size, std::uint64_t seed,
                                      const PointsOptions& options);

}  // namespace tessera
