// SPDX-License-Identifier: Apache-2.0
#include "core/isa.hpp"
#include "ops/cells/cells_pipeline.hpp"
#include "ops/cells/cpu/cells_simd_parts.hpp"

namespace tessera {

CellsRunnerPointer make_cells_simd(const CellsProblem& problem) {
  return std::make_unique<CellsPipelineRunner<float>>(
      problem, std::make_unique<SimdCellsParts>(problem), current_isa());
}

}  // namespace tessera
