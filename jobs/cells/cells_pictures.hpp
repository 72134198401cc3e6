// SPDX-License-Identifier: Apache-2.0
/// What there is to look at of a film: overlay movie, histogram, report.
#pragma once

#include <string>
#include <vector>

#include "jobs/cells/cells_job.hpp"
#include "jobs/cells/cells_result.hpp"

namespace tessera {

/// The names that a job makes or may make in its folder, with an overlay, with a report.
std::vector<std::string> cells_picture_names(bool overlay, bool report);

/// Reads the film once more for each. A program that is missing is a note, a film too long for a
/// page or a full disk a warning, and no picture. Returns the names of what was made.
std::vector<std::string> make_cells_pictures(const CellsJob& job, CellsFilmResult& result,
                                             const Progress& progress);

}  // namespace tessera
