// SPDX-License-Identifier: Apache-2.0
/// Tracks that were corrected in TrackMate take the place of those that were found.
#pragma once

#include "jobs/cells/cells_result.hpp"
#include "jobs/cells/trackmate_reader.hpp"

namespace tessera {

/// The result has the corrected tracks, and no others. A spot that was not moved keeps its score
/// and whether it was seen; others count as seen, with a score of 0. Gaps are bridged. A note says
/// what differs, and `edits` counts the tracks that do. Throws Error(input) if the file has no
/// tracks or belongs to another film.
void take_corrected_tracks(const TrackMateTracks& corrected, CellsFilmResult& result);

}  // namespace tessera
