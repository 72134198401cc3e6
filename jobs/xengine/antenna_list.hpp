// SPDX-License-Identifier: Apache-2.0
/// Names and places of antennas: a line each, "name x y z", ITRF in metres.
#pragma once

#include <string>
#include <vector>

#include "io/uvfits/uvfits.hpp"
#include "io/voltages/voltage_file.hpp"

namespace tessera {

/// What follows a '#' is a comment; empty lines do not count; numbers are apart by spaces or
/// commas. Throws Error(input) naming file and line.
std::vector<UvfitsAntenna> read_antennas(const std::string& path);

/// Of a recording: by the file, if one is named, else by its header, else names alone. Throws
/// Error(usage) when the file has more or fewer.
struct AntennaList {
  std::vector<UvfitsAntenna> antennas;
  bool placed = false;  ///< whether their places are known
};
AntennaList antennas_of(const VoltageInfo& info, const std::string& path);

}  // namespace tessera
