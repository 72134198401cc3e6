// SPDX-License-Identifier: Apache-2.0
/// Options to a problem that methods can rely on.
#pragma once

#include "ops/cells/cells_problem.hpp"

namespace tessera {

/// Throws Error(usage) with what would be right.
CellsProblem make_cells_problem(const ImageInfo& frame, const CellsOptions& options);

}  // namespace tessera
