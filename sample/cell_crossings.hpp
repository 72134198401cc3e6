// SPDX-License-Identifier: Apache-2.0
/// Where cells of a film meet.
#pragma once

#include <vector>

#include "tessera/cells.hpp"

namespace tessera {

/// One cell overtakes another: from `first` to `last` their discs overlap (centres nearer than the
/// sum of the radii), and afterwards one is on the far side of the other.
struct CellCrossing {
  int first = 0, last = 0;  ///< frames
  int id = 0, other = 0;    ///< of tracks
  bool operator==(const CellCrossing&) const = default;
};

/// Both cells must be present and apart for this many frames before and after: only then can they
/// be told apart.
inline constexpr int kApartFrames = 5;

/// All crossings, in the order of frames. The side is the direction from
/// one centre to the other in the last frame before and the first frame after the overlap; it has
/// changed if the two directions are more than a quarter turn apart.
std::vector<CellCrossing> find_crossings(const std::vector<CellTrack>& tracks);

/// The maximum number of consecutive frames in which the discs of two cells overlap.
int longest_overlap(const CellTrack& a, const CellTrack& b);

}  // namespace tessera
