// SPDX-License-Identifier: Apache-2.0
/// Beams as symmetric matrices: squared widths along north and east. Convolution is their sum.
#pragma once

#include <string>

#include "tessera/beam.hpp"

namespace tessera {

/// [[a, b], [b, c]].
struct BeamMatrix {
  double a = 0, b = 0, c = 0;

  double trace() const { return a + c; }
  double determinant() const { return a * c - b * b; }
  /// The smaller and the larger eigenvalue.
  double low() const;
  double high() const;
  BeamMatrix inverse() const;
};

inline BeamMatrix operator+(const BeamMatrix& x, const BeamMatrix& y) {
  return {x.a + y.a, x.b + y.b, x.c + y.c};
}
inline BeamMatrix operator-(const BeamMatrix& x, const BeamMatrix& y) {
  return {x.a - y.a, x.b - y.b, x.c - y.c};
}
inline BeamMatrix operator*(double factor, const BeamMatrix& x) {
  return {factor * x.a, factor * x.b, factor * x.c};
}

/// First axis north, second east; in squares of the beam's unit.
BeamMatrix matrix_of(const Beam& beam);
/// The inverse; negative eigenvalues count as 0. The angle is from 0 to 180 degrees.
Beam beam_of(const BeamMatrix& matrix);

/// The eigenvalues of a difference of beams that count as 0, relative to the trace of the larger:
/// that much is lost when axes and angle become a matrix.
inline constexpr double kBeamRounding = 1e-12;
/// Whether `large` minus `small` has no negative eigenvalue.
bool holds_beam(const BeamMatrix& large, const BeamMatrix& small);

/// "12 x 9 at 30 degrees".
std::string beam_text(const Beam& beam);

/// Throws Error(usage) for values that are not a beam.
void check_beam(const Beam& beam, const char* what);

}  // namespace tessera
