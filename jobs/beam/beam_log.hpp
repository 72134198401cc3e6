// SPDX-License-Identifier: Apache-2.0
/// Beam logs: the beams of a cube's channels in a text file next to it, as ASKAP's pipeline writes
/// and racs-tools reads them.
///
///     #Channel BMAJ[arcsec] BMIN[arcsec] BPA[deg]
///     0 14.2 11.9 83.1
#pragma once

#include <string>

#include "io/beam_table.hpp"

namespace tessera {

/// Columns are found by their names, in any order and with further ones; without a line of names
/// they are those above. Beams of 0 are of channels without one. Throws Error(input) naming the
/// line.
BeamTable read_beam_log(const std::string& path);

/// The name that a cube's log has: "sky/beamlog.cube.txt" for "sky/cube.fits".
std::string beam_log_of(const std::string& cube);

}  // namespace tessera
