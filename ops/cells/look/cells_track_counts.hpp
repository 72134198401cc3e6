// SPDX-License-Identifier: Apache-2.0
/// What a film's tracks say against themselves, without a look at its frames.
#pragma once

#include <optional>
#include <vector>

#include "ops/cells/cells_problem.hpp"

namespace tessera {

/// The upper one of two in the middle; there must be a value.
double median_of(std::vector<double> values);

/// Traces of tissue are so; faint cells that are followed for long have outlines.
bool is_short_or_shapeless(const CellTrack& track);

/// The median score of a track without its sign; 0 if it was never seen.
double median_score(const CellTrack& track);

/// The median of length / width over a track's outlines; nothing if the track is short or has none.
std::optional<double> median_stretch(const CellTrack& track);

/// Tracks that score far below most of them, and are short or shapeless. If no scene is subtracted,
/// tissue scores higher. A cell that the frame's edge cuts scores low, and does not count.
int weak_tracks(const std::vector<CellTrack>& tracks, Size frame, bool has_scene);

/// Tracks that lie on a longer one, or on an earlier one of the same length.
int doubled_tracks(const std::vector<CellTrack>& tracks);

/// Short tracks that begin after the film does, or end before it, where no cell comes in or leaves.
int fleeting_tracks(const std::vector<CellTrack>& tracks, const CellsProblem& problem, int frames);

/// Long tracks of something that is far longer, relative to its width, than what the others follow.
int odd_tracks(const std::vector<CellTrack>& tracks);

/// Tracks of one sign, if nearly all tracks have the other.
struct LoneTracks {
  int count = 0;
  bool dark = false;  ///< these are dark, the others bright
};
LoneTracks lone_tracks(const std::vector<CellTrack>& tracks);

/// Tracks that end together, well inside the frame and before the film does: the most in any few
/// frames.
int tracks_that_end_together(const std::vector<CellTrack>& tracks, Size frame, int frames);

}  // namespace tessera
