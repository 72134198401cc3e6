// SPDX-License-Identifier: Apache-2.0
// A step of registration: the sums over pixels, and the frame position that follows from them.
#pragma once

#include "ops/cells/cells_model.cuh"

namespace tessera {

/// Sums over pixels of a registration step: of the scene's gradient g and the difference r between
/// frame and scene. `g4` sums the squares of gx^2 + gy^2, the weights of the pixels.
struct DriftSums {
  double n = 0, gx = 0, gy = 0, gxx = 0, gxy = 0, gyy = 0, r = 0, gxr = 0, gyr = 0, absolute = 0,
         g4 = 0;
};

/// One pixel's contribution, unless it differs by more than the limit: then it shows a cell, now or
/// in the scene, and outlines of cells would outweigh the whole ground.
template <class Real>
TESSERA_BOTH void drift_add(DriftSums& sums, Real gx, Real gy, Real difference, Real limit) {
  if (!(cell_abs(difference) <= limit)) return;
  const double r = difference, x = gx, y = gy;
  sums.n += 1;
  sums.gx += x;
  sums.gy += y;
  sums.gxx += x * x;
  sums.gxy += x * y;
  sums.gyy += y * y;
  sums.r += r;
  sums.gxr += x * r;
  sums.gyr += y * r;
  sums.absolute += cell_abs(r);
  sums.g4 += (x * x + y * y) * (x * x + y * y);
}

/// Whether enough pixels contribute: n of equal weight, or fewer if a few outweigh all others.
/// Those few are outlines of cells, and the drift would follow the cells.
TESSERA_BOTH inline bool drift_is_known(const DriftSums& s) {
  const double weight = s.gxx + s.gyy;
  return s.n > 0 && weight * weight >= kCells.drift_samples * s.g4;
}

/// A Gauss-Newton step, with the change of light removed; false if the scene does not determine it.
TESSERA_BOTH inline bool drift_step(const DriftSums& s, double& x, double& y) {
  if (!drift_is_known(s)) return false;
  const double gxx = s.gxx - s.gx * s.gx / s.n, gyy = s.gyy - s.gy * s.gy / s.n;
  const double gxy = s.gxy - s.gx * s.gy / s.n, gxr = s.gxr - s.gx * s.r / s.n;
  const double gyr = s.gyr - s.gy * s.r / s.n, determinant = gxx * gyy - gxy * gxy;
  if (!(determinant > 1e-6 * gxx * gyy)) return false;
  x -= (gyy * gxr - gxy * gyr) / determinant;
  y -= (gxx * gyr - gxy * gxr) / determinant;
  return true;
}

}  // namespace tessera
