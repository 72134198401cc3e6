// SPDX-License-Identifier: Apache-2.0
/// Films of large cells: a method has windows of a fixed size, so larger cells are followed in
/// frames of larger pixels, each the mean of a square.
#pragma once

#include "ops/cells/cells_problem.hpp"

namespace tessera {

/// Pixels along the side of a square that a film's cells need; 1: frames as they are.
int binning_of(const CellsProblem& problem);

/// Runs a method of the binned problem on full frames, and gives tracks in their pixels.
CellsRunnerPointer make_binned(CellsRunnerPointer runner, int factor);

}  // namespace tessera
