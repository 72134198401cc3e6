// SPDX-License-Identifier: Apache-2.0
/// Compares the results of a rung with those of the plain program, or the product's with the true
/// positions of the cells. Returns the first thing that is wrong, or "".
#pragma once

#include <string>
#include <vector>

#include "ops/cells/study/cells_case.hpp"

namespace tessera {

std::string wrong_detection(const Detected& truth, const Detected& made, bool floats);

/// `bound` is that of the samples of the field; 0 for programs in double, which take the same
/// steps.
std::string wrong_tracking(const Tracked& truth, const Tracked& made, double bound);

/// The positions of the cells after a film.
std::string wrong_positions(const Tracked& truth, const Tracked& made, bool floats);

/// One cell in twenty may be missed: the product's own tests are stricter.
std::string missing_cells(const StudyFilm& film, const std::vector<CellDetection>& found);
std::string lost_cells(const StudyFilm& film, const std::vector<CellTrack>& tracks);

/// In a film whose truth is not known: cells of the reference that the other does not have, or the
/// other way round.
std::string other_detections(const std::vector<CellDetection>& reference,
                             const std::vector<CellDetection>& found);
std::string other_tracks(const std::vector<CellTrack>& reference,
                         const std::vector<CellTrack>& tracks);

}  // namespace tessera
