// SPDX-License-Identifier: Apache-2.0
/// Manual corrections of a film's tracks: a table of edits, or a file that was corrected in
/// TrackMate.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jobs/cells/cells_edits.hpp"
#include "jobs/cells/cells_result.hpp"
#include "jobs/cells/trackmate_reader.hpp"

namespace tessera {

struct CellsCorrections {
  std::string text;  ///< of the table
  std::vector<CellsEdit> edits;
  std::optional<TrackMateTracks> corrected;
};

/// Throws Error(input) if the file cannot be read or is not a file of TrackMate, Error(usage) for
/// invalid lines of a table.
CellsCorrections read_corrections(const std::string& path);

/// Replays edits on the tracks of a result, or replaces them by the corrected ones. Throws Error,
/// without having changed anything, if the corrections do not fit the film.
void correct_tracks(const CellsCorrections& corrections, CellsFilmResult& result);

}  // namespace tessera
