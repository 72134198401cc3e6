// SPDX-License-Identifier: Apache-2.0
/// Tracks that stay where they are on the tissue: of cells that stand, or of the tissue itself.
#pragma once

#include <vector>

#include "tessera/cells.hpp"

namespace tessera {

/// Tracks that stand and are unlike the others: longer relative to their width, fainter and
/// smaller, all taken together. `tissue`: its place in each frame; empty if it stands still.
int tissue_like_tracks(const std::vector<CellTrack>& tracks, const std::vector<CellDrift>& tissue);

/// Tracks that begin where another, which stood, ended before.
int resumed_tracks(const std::vector<CellTrack>& tracks, const std::vector<CellDrift>& tissue);

}  // namespace tessera
