// SPDX-License-Identifier: Apache-2.0
/// What a rung made, held against the plain program, or the product against where the cells are.
/// The first thing that is wrong, or "".
#pragma once

#include <string>
#include <vector>

#include "ops/cells/study/cells_case.hpp"

namespace tessera {

std::string wrong_detection(const Detected& truth, const Detected& made, bool floats);

/// `bound`: of samples of the field; 0 for programs in double, which take the same steps.
std::string wrong_tracking(const Tracked& truth, const Tracked& made, double bound);

/// Where the cells are after a film.
std::string wrong_positions(const Tracked& truth, const Tracked& made, bool floats);

/// One cell in twenty may be missed: the product's own tests are stricter.
std::string missing_cells(const StudyFilm& film, const std::vector<CellDetection>& found);
std::string lost_cells(const StudyFilm& film, const std::vector<CellTrack>& tracks);

}  // namespace tessera
