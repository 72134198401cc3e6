// SPDX-License-Identifier: Apache-2.0
/// Arrays and skies as text files. Words are apart by blanks; what follows a # is a comment.
#pragma once

#include <string>
#include <vector>

#include "sample/voltages_sky.hpp"

namespace tessera {

/// A line an antenna: its name and ITRF x, y and z in metres, or these alone. Throws Error(input)
/// naming the line.
std::vector<SampleAntenna> read_sample_antennas(const std::string& path);

/// A line a source: "lm L M", "azel AZIMUTH ELEVATION" or "radec RA DEC" in degrees, then Stokes I,
/// or I, Q, U and V. l and m are direction cosines about the field's centre, of which `options` and
/// the array tell.
std::vector<SampleSource> read_sources(const std::string& path, const VoltagesOptions& options,
                                       const std::vector<SampleAntenna>& antennas);

}  // namespace tessera
