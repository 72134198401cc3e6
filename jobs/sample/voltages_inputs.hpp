// SPDX-License-Identifier: Apache-2.0
/// Arrays and skies as text files. Words are separated by spaces; # begins a comment.
#pragma once

#include <string>
#include <vector>

#include "sample/voltages_sky.hpp"

namespace tessera {

/// One line per antenna: its name and ITRF x, y and z in metres, or only these. Throws Error(input)
/// naming the line.
std::vector<SampleAntenna> read_sample_antennas(const std::string& path);

/// One line per source: "lm L M", "azel AZIMUTH ELEVATION" or "radec RA DEC" in degrees, then
/// Stokes I, or I, Q, U and V. l and m are direction cosines relative to the field's centre, which
/// follows from `options` and the array.
std::vector<SampleSource> read_sources(const std::string& path, const VoltagesOptions& options,
                                       const std::vector<SampleAntenna>& antennas);

}  // namespace tessera
