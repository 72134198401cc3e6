// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/refuse.hpp"
#include "ops/beam/beam_matrix.hpp"

namespace tessera {
namespace {

constexpr double kDegrees = std::numbers::pi / 180;

}  // namespace

double BeamMatrix::high() const { return (a + c) / 2 + std::hypot((a - c) / 2, b); }

// The product of the eigenvalues is exact where their difference would cancel.
double BeamMatrix::low() const {
  const double larger = high();
  return larger > 0 ? determinant() / larger : (a + c) / 2 - std::hypot((a - c) / 2, b);
}

BeamMatrix BeamMatrix::inverse() const {
  const double d = determinant();
  return {c / d, -b / d, a / d};
}

BeamMatrix matrix_of(const Beam& beam) {
  const double cosine = std::cos(beam.angle * kDegrees), sine = std::sin(beam.angle * kDegrees);
  const double major = beam.major * beam.major, minor = beam.minor * beam.minor;
  return {major * cosine * cosine + minor * sine * sine, (major - minor) * sine * cosine,
          major * sine * sine + minor * cosine * cosine};
}

Beam beam_of(const BeamMatrix& matrix) {
  const double major = std::sqrt(std::max(matrix.high(), 0.0));
  const double minor = std::min(major, std::sqrt(std::max(matrix.low(), 0.0)));
  double angle = std::atan2(2 * matrix.b, matrix.a - matrix.c) / 2 / kDegrees;
  if (angle < 0) angle += 180;
  return {major, minor, angle};
}

bool holds_beam(const BeamMatrix& large, const BeamMatrix& small) {
  return (large - small).low() >= -kBeamRounding * large.trace();
}

std::string beam_text(const Beam& beam) {
  return fmt::format("{:.6g} x {:.6g} at {:.6g} degrees", beam.major, beam.minor, beam.angle);
}

void check_beam(const Beam& beam, const char* what) {
  if (beam.valid()) return;
  refuse("beam", fmt::format("{} is {}; its axes must be above 0, the first not smaller than the "
                             "second, and all numbers finite",
                             what, beam_text(beam)));
}

bool Beam::valid() const {
  return std::isfinite(major) && std::isfinite(angle) && minor > 0 && major >= minor;
}

double Beam::area() const { return std::numbers::pi * major * minor / (4 * std::numbers::ln2); }

Beam convolve_beams(const Beam& a, const Beam& b) { return beam_of(matrix_of(a) + matrix_of(b)); }

std::optional<Beam> deconvolve_beam(const Beam& large, const Beam& small) {
  check_beam(large, "the larger beam");
  check_beam(small, "the smaller beam");
  const BeamMatrix from = matrix_of(large), what = matrix_of(small);
  if (!holds_beam(from, what)) return std::nullopt;
  const BeamMatrix rest = from - what;
  if (rest.high() <= kBeamRounding * from.trace()) return Beam{};
  return beam_of(rest);
}

}  // namespace tessera
