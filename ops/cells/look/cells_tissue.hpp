// SPDX-License-Identifier: Apache-2.0
/// Where the tissue lies in each frame of a film. The tracker's own drift only has to take the
/// scene away: cells pull it along, and it wanders by a pixel or two. Speeds relative to the tissue
/// need better: a few frames of the film are compared with each other where no cell is followed.
#pragma once

#include <vector>

#include "ops/cells/cells_problem.hpp"
#include "ops/cells/frames/cells_samples.hpp"

namespace tessera {

/// One per frame of the film: measured in the sampled frames, on straight lines between them, and
/// where the tracker saw a jump between two, as it saw it. `followed`: the tracker's, empty if it
/// has none. Empty if the tissue stands still, or if the frames do not show where it is: too few
/// pixels without cells, or nothing in them that can be recognised.
std::vector<CellDrift> place_of_tissue(const CellsProblem& problem, const CellsSamples& samples,
                                       int film, const std::vector<CellTrack>& tracks,
                                       const std::vector<CellDrift>& followed, Stream& stream);

}  // namespace tessera
