// SPDX-License-Identifier: Apache-2.0
/// The beams of a cube's planes, as a table in its file states them (CASA's BEAMS).
#pragma once

#include <string>
#include <vector>

namespace tessera {

struct BeamRow {
  double major = 0, minor = 0, angle = 0;  ///< degrees; 0 or NaN: the plane has no beam
  int channel = 0, polarisation = 0;       ///< counted from 0
};

struct BeamTable {
  std::vector<BeamRow> rows;
  std::string wrong;  ///< a sentence about a table that is missing or cannot be read
};

}  // namespace tessera
