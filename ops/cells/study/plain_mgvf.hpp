// SPDX-License-Identifier: Apache-2.0
/// A sample of the field and its neighbours.
#pragma once

#include <cmath>

#include "ops/cells/study/plain_cells.hpp"

namespace tessera {

/// The published step function: 0 below and 1 above zero, nearly.
inline double plain_heaviside(double z) { return std::atan(z / 1e-10) / kPublishedPi + 0.5; }

struct PlainNeighbour {
  int x, y, weight;  ///< weight: the direction times the flow's, which is (1, 1)
};
inline constexpr PlainNeighbour kPlainNeighbours[] = {{0, -1, -1},  {0, 1, 1},  {-1, 0, -1},
                                                      {1, 0, 1},    {1, -1, 0}, {1, 1, 2},
                                                      {-1, -1, -2}, {-1, 1, 0}};

}  // namespace tessera
