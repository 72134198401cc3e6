// SPDX-License-Identifier: Apache-2.0
// Where a cell is expected: a Kalman filter with constant velocity, one covariance for both axes.
#pragma once

#include "ops/cells/cells_model.cuh"

namespace tessera {

template <class Real>
struct CellMotion {
  Real x, y, vx, vy;
  Real place, both, speed;  ///< covariance: of position, of position and velocity, of velocity
};

template <class Real>
TESSERA_BOTH constexpr CellMotion<Real> motion_start(Real x, Real y, Real vx, Real vy,
                                                     Real speed_sigma) {
  return {x, y, vx, vy, Real(1), Real(0), speed_sigma * speed_sigma};
}

template <class Real>
TESSERA_BOTH constexpr void motion_predict(CellMotion<Real>& m) {
  m.x += m.vx;
  m.y += m.vy;
  m.place += 2 * m.both + m.speed;
  m.both += m.speed;
  const Real turn = static_cast<Real>(kCells.speed_noise) +
                    static_cast<Real>(kCells.speed_change) * cell_sqrt(m.vx * m.vx + m.vy * m.vy);
  m.speed += turn * turn;
}

/// The measurement is far (a squared distance) from the expected position. If that was noise, the
/// next frame will show it; if the cell stopped or turned, the next frame is trusted.
template <class Real>
TESSERA_BOTH constexpr void motion_surprise(CellMotion<Real>& m, Real far) {
  m.place += far / 4;
  m.both += far / 4;
  m.speed += far / 4;
}

/// Takes a measured position with its variance.
template <class Real>
TESSERA_BOTH constexpr void motion_update(CellMotion<Real>& m, Real x, Real y, Real variance) {
  const Real total = m.place + variance, gain = m.place / total, turn = m.both / total;
  const Real dx = x - m.x, dy = y - m.y;
  m.x += gain * dx;
  m.y += gain * dy;
  m.vx += turn * dx;
  m.vy += turn * dy;
  m.speed -= turn * m.both;
  m.both -= gain * m.both;
  m.place -= gain * m.place;
}

}  // namespace tessera
