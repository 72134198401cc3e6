// SPDX-License-Identifier: Apache-2.0
/// Tracks as XML that other programs read. Written element by element: a document in memory would
/// take 700 bytes per spot.
#pragma once

#include <string>

#include "jobs/cells/cells_result.hpp"
#include "jobs/cells/cells_text.hpp"

namespace tessera {

/// A file of TrackMate 7 and 8 (Fiji): Plugins > Tracking > Load a TrackMate file. Its detector and
/// tracker are "manual"; units and spots are those of TrackMateModel. Speeds and displacements are
/// TrackMate's own, from spot to spot, not Tessera's windowed ones: TrackMate computes them again
/// for every track that is edited, and a file must not mix both.
void write_trackmate(const CellsFilmResult& result, TextFile& file);

/// The format of the ISBI 2012 particle tracking challenge, read by Icy and its scoring tool.
/// Positions are pixels, t is the frame.
void write_isbi(const CellsFilmResult& result, TextFile& file);

}  // namespace tessera
