// SPDX-License-Identifier: Apache-2.0
// Entries of the kernels of cells that make images.
#include "ops/cells/cells_images.cuh"

namespace tessera {

#define TESSERA_CELLS_SMOOTH(name, type)                                  \
  extern "C" __global__ void __launch_bounds__(kCellsTileThreads)         \
      cells_smooth_##name(const __grid_constant__ CellsSmoothArgs args) { \
    cells_smooth<type>(args);                                             \
  }

TESSERA_CELLS_SMOOTH(u8, unsigned char)
TESSERA_CELLS_SMOOTH(u16, unsigned short)
TESSERA_CELLS_SMOOTH(f32, float)
TESSERA_CELLS_SMOOTH(f64, double)

extern "C" __global__ void __launch_bounds__(kCellsGicovThreads)
    cells_gicov_scores(const __grid_constant__ CellsGicovArgs args) {
  cells_gicov(args);
}
extern "C" __global__ void __launch_bounds__(kCellsGicovThreads)
    cells_gicov_maxima(const __grid_constant__ CellsMaximaArgs args) {
  cells_maxima(args);
}

}  // namespace tessera
