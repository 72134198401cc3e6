// SPDX-License-Identifier: Apache-2.0
/// From options to the checked problem that methods rely on.
#pragma once

#include "ops/cells/cells_problem.hpp"

namespace tessera {

/// Throws Error(usage) with what would be right.
CellsProblem make_cells_problem(const ImageInfo& frame, const CellsOptions& options);

}  // namespace tessera
