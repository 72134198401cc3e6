// SPDX-License-Identifier: Apache-2.0
// Where cells are expected in the next frame, also if the whole picture jumps.
#pragma once

#include "ops/cells/life/cells_life.cuh"

namespace tessera {

/// By how much all cells move with the picture from one frame to the next.
template <class Real>
struct CellsJump {
  Real x = 0, y = 0;
};

/// From the drifts of two frames. Only jumps: the tracks themselves follow slower movements.
template <class Real>
TESSERA_BOTH CellsJump<Real> jump_between(double x, double y, double next_x, double next_y) {
  const double dx = next_x - x, dy = next_y - y;
  const bool jumped = dx * dx + dy * dy >= kCells.jump_least * kCells.jump_least;
  return jumped ? CellsJump<Real>{static_cast<Real>(dx), static_cast<Real>(dy)} : CellsJump<Real>{};
}

/// Moves a cell to where it is expected in the next frame.
template <class Real>
TESSERA_BOTH void expect_slot(CellSlot<Real>& slot, CellsJump<Real> jump) {
  if (slot.stage == CellStage::free) return;
  motion_predict(slot.motion);
  slot.motion.x += jump.x;
  slot.motion.y += jump.y;
}

}  // namespace tessera
