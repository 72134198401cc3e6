// SPDX-License-Identifier: Apache-2.0
/// The frame rate and pixel size of a film: given, the film's own, or assumed.
#pragma once

#include <string>
#include <vector>

#include "jobs/cells/cells_job.hpp"
#include "jobs/cells/film_source.hpp"

namespace tessera {

/// `notes` receives a sentence for everything that is assumed or overruled.
CellsCalibration calibrate(const CellsJob& job, const FilmSource& source,
                           std::vector<std::string>& notes);

/// "2 frames per second (given), 0.32 um per pixel (film)".
std::string calibration_text(const CellsCalibration& calibration);

}  // namespace tessera
