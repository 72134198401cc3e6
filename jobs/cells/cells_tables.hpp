// SPDX-License-Identifier: Apache-2.0
/// Tracks as tables: one line of names, then numbers, for spreadsheets and pandas. Columns in
/// micrometres follow if the film is calibrated (docs/cells.md). The table for programs that read
/// TrackMate's is different.
#pragma once

#include <string>

#include "jobs/cells/cells_result.hpp"
#include "jobs/cells/cells_text.hpp"

namespace tessera {

void write_tracks(const CellsFilmResult& result, TextFile& file);     ///< one row per spot
void write_summaries(const CellsFilmResult& result, TextFile& file);  ///< one row per track
void write_histogram(const CellsFilmResult& result, TextFile& file);  ///< one row per bin

/// One row per spot with the columns, the four lines above them and the units of the table of spots
/// that TrackMate exports.
void write_trackmate_spots(const CellsFilmResult& result, TextFile& file);

/// Film, calibration, units, parameters, counts, notes and warnings; the same film and options give
/// the same bytes.
std::string summary_json(const CellsFilmResult& result);

}  // namespace tessera
