// SPDX-License-Identifier: Apache-2.0
/// Manual corrections of tracks, kept in a table and replayed (docs/cells.md):
///
///     EDIT,TRACK,FRAME,OTHER,X,Y,RADIUS
///     split,3,120                 a new track from frame 120 on
///     merge,3,,9                  track 9 becomes part of track 3
///     delete,7
///     add,12,40,,101.5,77.2,8     a spot; an unknown id begins a track
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jobs/cells/cells_result.hpp"
#include "tessera/cells.hpp"

namespace tessera {

inline constexpr const char* kCellsEditsHeader = "EDIT,TRACK,FRAME,OTHER,X,Y,RADIUS";

enum class CellsEditKind : unsigned char { split, merge, remove, add };

struct CellsEdit {
  CellsEditKind kind = CellsEditKind::split;
  int track = 0, frame = 0, other = 0;
  double x = 0, y = 0;
  std::optional<double> radius;
  std::string place;  ///< "edits.csv, line 3", for messages

  /// Throws Error(usage) with the edit's place, the fault and the columns.
  [[noreturn]] void refuse(const std::string& what) const;
};

/// The edits of a text, which messages call `name`. Throws Error(usage) naming file and line for an
/// edit that is invalid whatever the tracks are.
std::vector<CellsEdit> parse_edits(const std::string& name, const std::string& text);

/// Replays edits, in order, on tracks as they were found; ids do not change, and tracks are ordered
/// by them. Returns the next unused id. Throws Error(usage) for an edit of a track or frame that
/// does not exist, and for a spot outside the frame.
int replay_edits(const std::vector<CellsEdit>& edits, const CellsFilm& film,
                 std::vector<CellTrack>& tracks);

/// Whether a position is on a pixel of the film.
bool is_in_frame(const CellsFilm& film, double x, double y);

/// Frames between spots that have none are bridged by a straight line.
void bridge_gaps(CellTrack& track);

}  // namespace tessera
