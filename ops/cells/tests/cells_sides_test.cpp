// SPDX-License-Identifier: Apache-2.0
// Cells with a bright and a dark side are one track each; neighbours stay two.
#include "ops/cells/look/cells_sides.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tessera {
namespace {

/// A side that rolls to the right.
CellTrack side(int id, double x, double y, double score, int frames = 30, int first = 0) {
  CellTrack track{id, {}};
  for (int k = 0; k < frames; ++k)
    track.spots.push_back({first + k, x + 2 * (first + k), y, 6, score, true});
  return track;
}

/// Cells whose dark side is at (8, -6) from the bright one.
std::vector<CellTrack> cells_with_relief(int cells) {
  std::vector<CellTrack> tracks;
  for (int i = 0; i < cells; ++i) {
    tracks.push_back(side(2 * i + 1, 20, 40 + 60 * i, -3));
    tracks.push_back(side(2 * i + 2, 28, 34 + 60 * i, 3));
  }
  return tracks;
}

TEST(CellsSides, SidesBecomeOneTrackInTheirMiddle) {
  std::vector<CellTrack> tracks = cells_with_relief(4);
  tracks[3].spots.erase(tracks[3].spots.begin(), tracks[3].spots.begin() + 10);
  EXPECT_EQ(merge_sides(tracks), 4);
  ASSERT_EQ(tracks.size(), 4U);
  for (int i = 0; i < 4; ++i) {
    const CellTrack& track = tracks[static_cast<std::size_t>(i)];
    EXPECT_EQ(track.id, 2 * i + 1);
    ASSERT_EQ(track.spots.size(), 30U) << "also the frames in which one side was not seen";
    for (const CellSpot& spot : track.spots) {
      EXPECT_NEAR(spot.x, 24 + 2 * spot.frame, 1e-9) << spot.frame;
      EXPECT_NEAR(spot.y, 37 + 60 * i, 1e-9);
      EXPECT_NEAR(spot.radius, 8, 1e-9) << "half of the distance, and half of a side's radius";
    }
  }
}

TEST(CellsSides, PartsOfASideBelongToTheCell) {
  std::vector<CellTrack> tracks = cells_with_relief(3);
  tracks[1].spots.resize(14);
  tracks.push_back(side(7, 28, 34, 3, 14, 16));
  EXPECT_EQ(merge_sides(tracks), 4);
  EXPECT_EQ(tracks.size(), 3U);
}

TEST(CellsSides, NeighboursStayTwo) {
  const auto unchanged = [](std::vector<CellTrack> tracks) {
    const std::size_t before = tracks.size();
    return merge_sides(tracks) == 0 && tracks.size() == before;
  };
  EXPECT_TRUE(unchanged({}));
  EXPECT_TRUE(unchanged(cells_with_relief(1))) << "one pair may be neighbours";
  std::vector<CellTrack> tracks = cells_with_relief(4);
  for (std::size_t i : {1U, 5U})
    for (CellSpot& spot : tracks[i].spots) spot.x -= 16, spot.y += 12;
  EXPECT_TRUE(unchanged(tracks)) << "directions differ";
  tracks = cells_with_relief(4);
  for (CellTrack& track : tracks)
    for (CellSpot& spot : track.spots) spot.score = 3;
  EXPECT_TRUE(unchanged(tracks)) << "cells of one sign";
  tracks = cells_with_relief(4);
  for (std::size_t i = 1; i < tracks.size(); i += 2)
    for (CellSpot& spot : tracks[i].spots) spot.x += spot.frame;
  EXPECT_TRUE(unchanged(tracks)) << "they pass each other";
  tracks = cells_with_relief(4);
  for (CellTrack& track : tracks)
    for (CellSpot& spot : track.spots) spot.x -= 2 * spot.frame;
  EXPECT_TRUE(unchanged(tracks)) << "nothing moves, so nothing goes together";
  EXPECT_EQ(tracks_in_pairs(tracks), 0);
  EXPECT_EQ(tracks_in_pairs(cells_with_relief(1)), 2);
}

}  // namespace
}  // namespace tessera
