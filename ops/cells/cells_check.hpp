// SPDX-License-Identifier: Apache-2.0
/// From options to the checked problem that methods rely on.
#pragma once

#include <optional>

#include "ops/cells/cells_problem.hpp"
#include "ops/cells/frames/cells_bins.hpp"

namespace tessera {

/// Throws Error(usage) with what would be right.
CellsProblem make_cells_problem(const ImageInfo& frame, const CellsOptions& options);

/// The problem of a film with other radii than were planned.
CellsProblem problem_with_radii(const CellsProblem& problem, double least, double most);

/// The problem of a film whose cells have relief in this direction, or none.
CellsProblem problem_with_relief(const CellsProblem& problem, std::optional<double> direction);

/// The same problem in binned frames.
CellsProblem binned_problem(const CellsProblem& problem, CellsBins bins);

/// The problem of a film that ended after so few frames that there is no still scene, or that
/// tracks on trial would still be so at its end; none for longer ones.
std::optional<CellsProblem> problem_of_short_film(const CellsProblem& problem, int frames,
                                                  bool min_frames_given);

}  // namespace tessera
