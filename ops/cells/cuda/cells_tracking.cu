// SPDX-License-Identifier: Apache-2.0
// Entry points of the kernels that find and follow cells.
#include "ops/cells/cuda/cells_tracking.cuh"

namespace tessera {

extern "C" __global__ void __launch_bounds__(kCellsRefineThreads)
    cells_do_refine(const __grid_constant__ CellsRefineArgs args) {
  cells_refine(args);
}
extern "C" __global__ void __launch_bounds__(kCellsWindowThreads)
    cells_do_follow(const __grid_constant__ CellsFollowArgs args) {
  cells_follow(args);
}

}  // namespace tessera
