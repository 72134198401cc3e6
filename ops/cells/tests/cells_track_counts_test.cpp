// SPDX-License-Identifier: Apache-2.0
// Tracks that speak against themselves: short ones in the middle of the frame, and things that are
// not as round as the others.
#include "ops/cells/look/cells_track_counts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "ops/cells/cells_check.hpp"

namespace tessera {
namespace {

constexpr Size kPicture{320, 240};
constexpr int kLength = 120;  ///< frames

CellsProblem problem_of(const CellsOptions& options = {}) {
  return make_cells_problem({kPicture, Type::u8}, options);
}

/// A cell that moves to the right, from frame `first` on.
CellTrack moving(int first, int frames, double x, double y, double speed) {
  CellTrack track;
  for (int k = 0; k < frames; ++k)
    track.spots.push_back({first + k, x + speed * k, y, 8, -5, true});
  return track;
}

int fleeting(const CellTrack& track, const CellsProblem& problem = problem_of()) {
  return fleeting_tracks({track}, problem, kLength);
}

TEST(CellsTrackCounts, FleetingTracksBeginOrEndInTheMiddle) {
  EXPECT_EQ(fleeting(moving(100, 20, 160, 120, 0.1)), 1) << "begins";
  EXPECT_EQ(fleeting(moving(0, 30, 160, 120, 0.1)), 1) << "ends";
  EXPECT_EQ(fleeting(moving(0, 20, 160, 12, 0.1)), 0) << "at the edge";
  EXPECT_EQ(fleeting(moving(100, 20, 20, 120, 0.1)), 0) << "comes in slowly";
  EXPECT_EQ(fleeting(moving(100, 20, 50, 120, 3)), 0) << "has come in since the last search";
  EXPECT_EQ(fleeting(moving(100, 20, 70, 120, 3)), 1) << "should have been found before";
  EXPECT_EQ(fleeting(moving(0, 30, 205, 120, 3)), 0) << "leaves";
  EXPECT_EQ(fleeting(moving(0, 30, 195, 120, 3)), 1) << "does not leave yet";
}

TEST(CellsTrackCounts, LongTracksAreNotFleeting) {
  EXPECT_EQ(fleeting(moving(75, 45, 160, 120, 0.1)), 1);
  EXPECT_EQ(fleeting(moving(74, 46, 160, 120, 0.1)), 0);
  EXPECT_EQ(fleeting_tracks({moving(20, 30, 160, 120, 0.1)}, problem_of(), 60), 1);
  EXPECT_EQ(fleeting_tracks({moving(20, 31, 160, 120, 0.1)}, problem_of(), 60), 0)
      << "more than half of the film";
  EXPECT_EQ(fleeting_tracks({}, problem_of(), kLength), 0);
}

TEST(CellsTrackCounts, CellsComeInWhereTheyAreSearchedFor) {
  const CellTrack track = moving(100, 20, 160, 120, 0.1);
  EXPECT_EQ(fleeting(track, problem_of({.crop = "150,0,170x240"})), 0) << "the edge of the crop";
  const CellTrack fast = moving(100, 20, 170, 120, 3);
  EXPECT_EQ(fleeting(fast), 1);
  EXPECT_EQ(fleeting(fast, problem_of({.flow = 0.0})), 0)
      << "only the entry window is searched every time";
}

TEST(CellsTrackCounts, LoneTracksHaveTheOtherSign) {
  const auto lone = [](int bright, int dark) {
    std::vector<CellTrack> tracks(static_cast<std::size_t>(bright + dark),
                                  moving(0, 20, 60, 120, 1));
    for (int k = 0; k < dark; ++k)
      for (CellSpot& spot : tracks[static_cast<std::size_t>(k)].spots) spot.score = 5;
    return lone_tracks(tracks);
  };
  EXPECT_EQ(lone(7, 1).count, 1);
  EXPECT_TRUE(lone(7, 1).dark);
  EXPECT_EQ(lone(1, 7).count, 1);
  EXPECT_FALSE(lone(1, 7).dark);
  EXPECT_EQ(lone(6, 1).count, 0) << "a film of few cells";
  EXPECT_EQ(lone(18, 6).count, 0) << "cells of both signs";
  EXPECT_EQ(lone(20, 0).count, 0);
  EXPECT_EQ(lone(0, 0).count, 0);
}

/// A long track whose outlines are ellipses of these half axes.
CellTrack outlined(double along, double across, int frames = 40) {
  CellTrack track = moving(0, frames, 60, 120, 1);
  for (CellSpot& spot : track.spots)
    for (std::size_t j = 0; j < spot.outline.size(); ++j) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(j) / kCellDirections;
      spot.outline[j] = static_cast<float>(
          along * across / std::hypot(across * std::cos(angle), along * std::sin(angle)));
    }
  return track;
}

TEST(CellsTrackCounts, OddTracksAreLongerThanTheOthers) {
  const CellTrack round = outlined(9, 8.5), longer = outlined(11, 8), long_ones = outlined(12, 8);
  EXPECT_EQ(odd_tracks({round, round, round, longer}), 1);
  EXPECT_EQ(odd_tracks({round, round, round, outlined(9.5, 8.5)}), 0);
  EXPECT_EQ(odd_tracks({round, round, round, outlined(11, 8, 30)}), 0) << "too short to tell";
  EXPECT_EQ(odd_tracks({long_ones, long_ones, long_ones, longer}), 0) << "a film of long cells";
  EXPECT_EQ(odd_tracks({round, outlined(10, 8), outlined(11, 8), outlined(12, 8)}), 0)
      << "cells of all shapes";
  EXPECT_EQ(odd_tracks({round, round, moving(0, 40, 60, 120, 1)}), 0) << "without outlines";
  EXPECT_EQ(odd_tracks({}), 0);
}

}  // namespace
}  // namespace tessera
