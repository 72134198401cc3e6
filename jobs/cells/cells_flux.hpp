// SPDX-License-Identifier: Apache-2.0
/// Cells that cross a line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jobs/cells/cells_motion.hpp"
#include "jobs/cells/cells_result.hpp"

namespace tessera {

/// "X1,Y1,X2,Y2"; none for "auto". Throws Error(usage) for other texts and a line without length.
std::optional<CellsFlux> flux_line_of(const std::string& text);

/// Counts the tracks that end up on the other side, each once however often it crosses, in either
/// direction. If no line is given, it lies across the flow, or across the mean direction of the
/// cells, through the middle of the crop; none if there is no such direction.
std::optional<CellsFlux> measure_flux(const CellsFilmResult& result,
                                      const std::vector<std::vector<SpotMotion>>& motion);

/// The position that an automatic line runs through: the centre of the crop.
SpotMotion flux_middle(const CellsFilmResult& result);

}  // namespace tessera
