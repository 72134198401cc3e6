// SPDX-License-Identifier: Apache-2.0
/// Antennas and point sources of a recording.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "sample/voltages_geometry.hpp"
#include "sample/voltages_options.hpp"

namespace tessera {

struct SampleAntenna {
  std::string name;
  EarthVector place;  ///< m
};

/// Stokes parameters are those of the voltages: XX* = I + Q, YY* = I - Q, XY* = U + i V,
/// YX* = U - i V, the same for all antennas; the rotation of feeds on the sky is left out.
struct SampleSource {
  EarthVector direction;
  double i = 1, q = 0, u = 0, v = 0;
};

/// At random positions of a disc around the array's centre, named A0, A1 ...
std::vector<SampleAntenna> draw_antennas(const VoltagesOptions& options, std::uint64_t seed);
/// At random positions of the field.
std::vector<SampleSource> draw_sources(const VoltagesOptions& options, const EarthVector& centre,
                                       std::uint64_t seed);

EarthVector middle_of(const std::vector<SampleAntenna>& antennas);
/// The field's centre: as requested, or the zenith of the array's centre.
EarthVector field_centre(const VoltagesOptions& options, const EarthVector& middle);

/// Throws Error(usage) if the polarised flux exceeds I, or I is below zero.
void check_source(const SampleSource& source, std::size_t number);

/// Mean of A_p conj(A_q) of a source alone; 0 is X, 1 is Y.
std::complex<double> coherency(const SampleSource& source, int p, int q);

}  // namespace tessera
