// SPDX-License-Identifier: Apache-2.0
/// From options to the checked problem that methods rely on.
#pragma once

#include <optional>

#include "ops/cells/cells_problem.hpp"

namespace tessera {

/// Throws Error(usage) with what would be right.
CellsProblem make_cells_problem(const ImageInfo& frame, const CellsOptions& options);

/// The problem of a film with other radii than were planned.
CellsProblem problem_with_radii(const CellsProblem& problem, double least, double most);

/// The same problem in frames whose pixels are `factor` times as large (frames/cells_bins.hpp).
CellsProblem binned_problem(const CellsProblem& problem, int factor);

/// The problem of a film that ended after so few frames that there is no still scene, or that
/// tracks on trial would still be so at its end; none for longer ones.
std::optional<CellsProblem> problem_of_short_film(const CellsProblem& problem, int frames,
                                                  bool min_frames_given);

}  // namespace tessera
