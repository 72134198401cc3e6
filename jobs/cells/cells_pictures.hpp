// SPDX-License-Identifier: Apache-2.0
/// The files of a film that options ask for: overlay movie, histogram, report, masks, graph.
#pragma once

#include <string>
#include <vector>

#include "jobs/cells/cells_job.hpp"
#include "jobs/cells/cells_result.hpp"

namespace tessera {

/// The first file of these in the job's folder, by its name there; empty if there is none.
std::string existing_picture(const CellsJob& job);

/// Removes all of them, also those that the job does not ask for.
void remove_cells_pictures(const std::string& folder);

/// Overlay and report read the film again. A missing program gives a note; a film too long for a
/// page, or a full disk, gives a warning; the picture is then left out. So are masks if there are
/// too many tracks. Returns the names of the files and folders made.
std::vector<std::string> make_cells_pictures(const CellsJob& job, CellsFilmResult& result,
                                             const Progress& progress);

}  // namespace tessera
