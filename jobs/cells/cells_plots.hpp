// SPDX-License-Identifier: Apache-2.0
/// Pictures of a film's cells.
#pragma once

#include <string>

#include "jobs/cells/cells_result.hpp"
#include "jobs/picture.hpp"

namespace tessera {

/// The histogram of mean speeds, .svg or .png, in micrometres per second if the film is calibrated,
/// with its figures next to it (.tsv). Without gnuplot its script is written instead (.gp), with a
/// note.
Picture draw_cells_histogram(const CellsFilmResult& result, const std::string& path, bool force);

}  // namespace tessera
