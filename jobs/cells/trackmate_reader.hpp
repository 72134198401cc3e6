// SPDX-License-Identifier: Apache-2.0
/// Files that TrackMate saves, or that Tessera writes for it. The elements are those of
/// TrackMate 2.1 and later; files of 3.7 to 8.0 were tried.
#pragma once

#include <string>
#include <vector>

#include "jobs/cells/track_document.hpp"
#include "tessera/cells.hpp"

namespace tessera {

struct TrackMateTracks {
  std::string name;               ///< the file, for messages
  std::vector<CellTrack> tracks;  ///< in pixels, ordered by id; gaps are not filled
  int loose = 0;                  ///< spots without a link, which are in no track
  int width = 0, height = 0;      ///< of the film, in pixels; 0: the file does not say
};

bool is_trackmate(const TrackDocument& document);

/// Positions become pixels by the pixel size in the file. Spots and tracks that filters hide are
/// left out. TrackMate's tracks may divide and fuse; ours do not: links that begin where a track
/// divides, or end where it fuses, are cut, and every branch is a track. The first branch keeps
/// TRACK_ID; the others, and tracks whose id is less than 1, have the next unused ids. If all
/// spots are in one frame, every spot is a track. Throws Error(input) naming file and line.
TrackMateTracks trackmate_tracks(const TrackDocument& document);

}  // namespace tessera
