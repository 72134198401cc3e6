// SPDX-License-Identifier: Apache-2.0
/// The pictures of a film: overlay movie, histogram, report.
#pragma once

#include <string>
#include <vector>

#include "jobs/cells/cells_job.hpp"
#include "jobs/cells/cells_result.hpp"

namespace tessera {

/// The names of files that a job makes or may make in its folder, with an overlay, with a report.
std::vector<std::string> cells_picture_names(bool overlay, bool report);

/// Reads the film again for each. A missing program gives a note; a film too long for a page or a
/// full disk gives a warning; the picture is then left out. Returns the names of the files made.
std::vector<std::string> make_cells_pictures(const CellsJob& job, CellsFilmResult& result,
                                             const Progress& progress);

}  // namespace tessera
