// SPDX-License-Identifier: Apache-2.0
/// Films of large cells: a method has windows of a fixed size, so larger cells are followed in
/// frames of larger pixels, each the mean of a square. Short films get a margin.
#pragma once

#include "ops/cells/cells_problem.hpp"
#include "ops/cells/frames/cells_bins.hpp"

namespace tessera {

/// The bins that a film's cells need: larger pixels for large cells, a margin for short films.
CellsBins bins_of(const CellsProblem& problem);

/// Runs a method of the binned problem on full frames, and gives tracks in their pixels.
CellsRunnerPointer make_binned(CellsRunnerPointer runner, CellsBins bins, Size frame);

}  // namespace tessera
