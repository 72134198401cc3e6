// SPDX-License-Identifier: Apache-2.0
/// Transposes the spectra of some pixels between planes of depths and rows of depths.
#pragma once

namespace tessera {

/// Data that is read is const.
template <class Plane, class Row>
struct CleanTurn {
  Plane* planes;  ///< plane p of pixel i is at planes[p * plane + offset[i]]
  long long plane;
  const long long* offset;
  int pixels, depths;
  Row* rows;  ///< depth p of pixel i is at rows[i * stride + p]
  int stride;
};

/// From planes to rows, and back.
template <class Real>
struct CleanTurnFunctions {
  void (*load)(const CleanTurn<const Real, Real>&);
  void (*store)(const CleanTurn<Real, const Real>&);
};

CleanTurnFunctions<float> clean_turn_functions(float);  ///< for the current SIMD target
CleanTurnFunctions<double> clean_turn_functions(double);

}  // namespace tessera
