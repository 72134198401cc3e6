// SPDX-License-Identifier: Apache-2.0
/// Tracks as XML that other programs read. Written element by element: a document in memory would
/// take 700 bytes per spot.
#pragma once

#include <string>

#include "jobs/cells/cells_result.hpp"
#include "jobs/cells/cells_text.hpp"

namespace tessera {

/// A file of TrackMate (Fiji): File > Load a TrackMate file. Its detector and tracker are "manual";
/// positions are in micrometres if the film is calibrated, else in pixels; times are in seconds.
void write_trackmate(const CellsFilmResult& result, TextFile& file);

/// The format of the ISBI 2012 particle tracking challenge, read by Icy and its scoring tool.
/// Positions are pixels, t is the frame.
void write_isbi(const CellsFilmResult& result, TextFile& file);

}  // namespace tessera
