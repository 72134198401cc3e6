// SPDX-License-Identifier: Apache-2.0
/// Which cells of a grid are refined.
#pragma once

#include "tessera/noise_grid.hpp"

namespace tessera {

/// The maps that are looked at, [first, end), and the noise at nodes, which is the unit.
struct NoiseLook {
  int first = 0, end = 0;
  const double* noise = nullptr;  ///< [row][column]
  bool spread = false;            ///< whether the noise at a cell's corners must not differ much
};

/// Cells between nodes that tolerance t does not let be bilinear (tessera/noise_grid.hpp),
/// ascending; without those that have no pixel between their nodes.
std::vector<NoiseCell> bent_cells(const NoiseNodes& nodes, const NoiseLook& look, double tolerance);

/// Neighbours of refined cells across edges that are not straight either: points of a patch lie
/// further than the tolerance from the line between the edge's nodes. Ascending; patches of other
/// planes than `look.first` do not count, and cells that have one are left out.
std::vector<NoiseCell> cells_across_edges(const NoiseNodes& nodes, const NoiseLook& look,
                                          double tolerance);

}  // namespace tessera
