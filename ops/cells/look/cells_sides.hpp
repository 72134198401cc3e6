// SPDX-License-Identifier: Apache-2.0
/// Pictures with relief, as of differential interference contrast: a cell has a bright and a dark
/// side, and each may have been followed by itself.
#pragma once

#include <vector>

#include "tessera/cells.hpp"

namespace tessera {

/// The spot of a track in a frame; none if the track has none.
const CellSpot* spot_in(const CellTrack& track, int frame);

/// Tracks that another, of the other sign, goes along with.
int tracks_in_pairs(const std::vector<CellTrack>& tracks);

/// Makes one track of the two sides of a cell: its centre lies between them, and the lowest id
/// stays. Gives the number of tracks that are no longer there: 0 if too few pairs go together, or
/// their directions from the bright to the dark side differ, because then they are neighbours.
int merge_sides(std::vector<CellTrack>& tracks);

}  // namespace tessera
