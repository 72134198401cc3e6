// SPDX-License-Identifier: Apache-2.0
// The corrected model's definition, in double. If a fast path's positions differ by more than
// 0.05 px, the fast path is wrong.
#include "ops/cells/cells_pipeline.hpp"
#include "ops/cells/cells_plain_parts.hpp"

namespace tessera {

CellsRunnerPointer make_cells_reference(const CellsProblem& problem) {
  return std::make_unique<CellsPipelineRunner<double>>(
      problem, std::make_unique<PlainCellsParts<double>>(problem), "in double, plain loops");
}

}  // namespace tessera
