// SPDX-License-Identifier: Apache-2.0
/// Names and positions of antennas: one line each, "name x y z", ITRF in metres.
#pragma once

#include <string>
#include <vector>

#include "io/uvfits/uvfits.hpp"
#include "io/voltages/voltage_file.hpp"

namespace tessera {

/// '#' begins a comment; empty lines do not count; numbers are separated by spaces or commas.
/// Throws Error(input) naming file and line.
std::vector<UvfitsAntenna> read_antennas(const std::string& path);

/// The antennas of a recording: from the file, if one is named, else from its header, else only
/// names. Throws Error(usage) if the file has more or fewer.
struct AntennaList {
  std::vector<UvfitsAntenna> antennas;
  bool placed = false;  ///< whether their positions are known
};
AntennaList antennas_of(const VoltageInfo& info, const std::string& path);

}  // namespace tessera
