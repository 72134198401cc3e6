// SPDX-License-Identifier: Apache-2.0
/// Tracks as a graph for other programs: the Graph Exchange File Format (GEFF), a folder of arrays
/// in Zarr, version 2, without compression.
#pragma once

#include <string>
#include <vector>

#include "jobs/cells/cells_result.hpp"

namespace tessera {

/// Nodes are spots, with t, y, x, radius, score, speed, seen, track, and outlines where they are
/// known: area, perimeter, elongation, polygon. Edges join the spots of a track. The folder is made
/// if it is missing; the file that makes it a graph, .zattrs, comes last.
void write_geff(const CellsFilmResult& result, const std::string& folder, bool force);

/// The files in such a folder, by their names in it; the last one is written last.
std::vector<std::string> geff_files();

}  // namespace tessera
