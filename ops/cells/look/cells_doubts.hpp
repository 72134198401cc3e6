// SPDX-License-Identifier: Apache-2.0
/// A second look at a film's tracks: what a few of its frames show by themselves, without a scene
/// that is subtracted and without motion, and whether the tracks agree with it.
#pragma once

#include <string>
#include <vector>

#include "ops/cells/cells_problem.hpp"
#include "ops/cells/frames/cells_samples.hpp"
#include "ops/cells/look/cells_track_counts.hpp"

namespace tessera {

/// Counts over the sampled frames. A circle is clear if its score in the frame alone leaves little
/// doubt that something round is there.
struct CellsSecondLook {
  int frames = 0;
  int clear = 0, missed = 0;  ///< clear circles of the radii searched, and those without a track
  /// Circles as clear as those of cells that are followed, and those that stand without a track.
  int as_clear = 0, standing = 0;
  /// In a few of the frames: clear circles of the radii searched, of at least twice and of at most
  /// half of them.
  int sized_frames = 0, own_size = 0, large = 0, small = 0;
  int tracks = 0;              ///< those in these frames
  int faint = 0;               ///< short or shapeless ones of them that the frames hardly show
  int followed = 0, weak = 0;  ///< all tracks, and those that score far below most of them
  int doubled = 0;             ///< tracks that lie on another
  int fleeting = 0;            ///< short ones that begin or end in the middle of the frame
  LoneTracks lone = {};        ///< tracks that are dark where the others are bright, or vice versa
  int odd = 0;                 ///< tracks of something far longer than what the others follow
  int tissue = 0;              ///< tracks that stand and are unlike the others
  int resumed = 0;             ///< tracks that begin where another, which stood, ended
  int paired = 0;              ///< tracks that go in pairs, after sides of one cell became one
  int broken = 0;              ///< tracks that end at the same time, inside the frame
};

/// Looks at tracks as they were followed: sides of one cell each by itself. `tissue`: its place in
/// each frame; empty if it stands still. Searches where the stream is.
CellsSecondLook second_look(const CellsProblem& problem, const CellsSamples& samples, int film,
                            const std::vector<CellTrack>& tracks,
                            const std::vector<CellDrift>& tissue, Stream& stream);

/// Which step left no track of what was found, and the option to try.
std::string why_no_tracks(const CellsProblem& problem, const CellsLives& lives);

/// The reasons to doubt, in sentences that name the option that decides; empty: none.
std::vector<std::string> doubts_of(const CellsSecondLook& look, const CellsOptions& options);

}  // namespace tessera
