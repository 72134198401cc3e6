// SPDX-License-Identifier: Apache-2.0
/// Manual corrections of tracks, kept in a table and replayed (docs/cells.md):
///
///     EDIT,TRACK,FRAME,OTHER,X,Y,RADIUS
///     split,3,120              from frame 120 on track 3 is another track, with the next new id
///     merge,3,,9               track 9 goes on as track 3
///     delete,7
///     add,12,40,,101.5,77.2,8  a spot; an id that is not there begins a track
#pragma once

#include <string>
#include <vector>

#include "tessera/cells.hpp"

namespace tessera {

/// Replays the lines of a file, in order, on tracks as they were found; ids stay what they are and
/// tracks are ordered by them. Returns how many lines there were. Throws Error(input) for a file
/// that cannot be read, Error(usage) naming file and line for an edit that cannot be.
int replay_edits(const std::string& path, int first_frame, int frames,
                 std::vector<CellTrack>& tracks);

/// The same for a text; `name` is what messages call it.
int replay_edits_text(const std::string& name, const std::string& text, int first_frame, int frames,
                      std::vector<CellTrack>& tracks);

}  // namespace tessera
