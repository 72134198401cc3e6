// SPDX-License-Identifier: Apache-2.0
// Entry points of the kernels that make images.
#include "ops/cells/cuda/cells_images.cuh"

namespace tessera {

#define TESSERA_CELLS_ENTRY(entry, threads, body, Args)  \
  extern "C" __global__ void __launch_bounds__(threads)  \
      cells_##entry(const __grid_constant__ Args args) { \
    body(args);                                          \
  }

TESSERA_CELLS_ENTRY(smooth_u8, kCellsTileThreads, cells_smooth<unsigned char>, CellsSmoothArgs)
TESSERA_CELLS_ENTRY(smooth_u16, kCellsTileThreads, cells_smooth<unsigned short>, CellsSmoothArgs)
TESSERA_CELLS_ENTRY(smooth_f32, kCellsTileThreads, cells_smooth<float>, CellsSmoothArgs)
TESSERA_CELLS_ENTRY(smooth_f64, kCellsTileThreads, cells_smooth<double>, CellsSmoothArgs)
TESSERA_CELLS_ENTRY(do_scene, kCellsStillThreads, cells_scene, CellsSceneArgs)
TESSERA_CELLS_ENTRY(do_drift, kCellsDriftThreads, cells_drift, CellsDriftArgs)
TESSERA_CELLS_ENTRY(do_accumulate, kCellsStillThreads, cells_accumulate, CellsAccumulateArgs)
TESSERA_CELLS_ENTRY(do_subtract, kCellsTileThreads, cells_subtract, CellsSubtractArgs)
TESSERA_CELLS_ENTRY(do_floor, kCellsFloorThreads, cells_floor, CellsFloorArgs)
TESSERA_CELLS_ENTRY(do_first, kCellsStillThreads, cells_first_slopes, CellsFirstArgs)
TESSERA_CELLS_ENTRY(do_standing, kCellsStandingThreads, cells_standing, CellsFillArgs)
TESSERA_CELLS_ENTRY(do_fill, kCellsStillThreads, cells_fill, CellsFillArgs)
TESSERA_CELLS_ENTRY(do_gicov, kCellsGicovThreads, cells_gicov, CellsGicovArgs)
TESSERA_CELLS_ENTRY(do_maxima, kCellsGicovThreads, cells_maxima, CellsMaximaArgs)

}  // namespace tessera
