// SPDX-License-Identifier: Apache-2.0
/// What there is to look at of a film: overlay movie, histogram, report.
#pragma once

#include <string>
#include <vector>

#include "jobs/cells/cells_job.hpp"
#include "jobs/cells/cells_result.hpp"

namespace tessera {

/// The names that the job makes or may make in its folder.
std::vector<std::string> cells_picture_names(const CellsJob& job);

/// Reads the film once more for each. A program that is missing is a note, and no picture. Returns
/// the names of what was made.
std::vector<std::string> make_cells_pictures(const CellsJob& job, CellsFilmResult& result,
                                             const Progress& progress);

}  // namespace tessera
