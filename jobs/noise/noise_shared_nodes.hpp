// SPDX-License-Identifier: Apache-2.0
/// Nodes of a grid that several ranks have measured, each some of them (core/ranks.hpp): after a
/// sweep all ranks have all values, so that each of them finds the same cells to refine.
#pragma once

#include <cstddef>
#include <vector>

#include "tessera/noise_grid.hpp"

namespace tessera {

/// Joins rows of nodes; `own` are those that this rank has measured.
void join_node_rows(NoiseNodes& nodes, const std::vector<Rows>& own);

/// Joins refined cells; patches from `first` on are those that this rank has made. Their order
/// depends on the ranks until find_cells sorts them.
void join_patches(NoiseNodes& nodes, std::size_t first);

}  // namespace tessera
