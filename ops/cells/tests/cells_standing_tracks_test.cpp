// SPDX-License-Identifier: Apache-2.0
// Tracks of something that stands: pieces of tissue, and cells that are found again.
#include "ops/cells/look/cells_standing_tracks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace tessera {
namespace {

struct Like {
  double stretch = 1.05, score = -5, radius = 9;
  double speed = 0;
  int frames = 60;
};

/// A track whose outlines have one wave with two periods.
CellTrack track_like(const Like& like, double x = 60, int first = 0) {
  CellTrack track;
  const double wave = (like.stretch - 1) / (like.stretch + 1);
  for (int k = 0; k < like.frames; ++k) {
    track.spots.push_back({first + k, x + like.speed * k, 60, like.radius, like.score, true});
    for (int j = 0; j < kCellDirections; ++j)
      track.spots.back().outline[static_cast<std::size_t>(j)] = static_cast<float>(
          like.radius * (1 + wave * std::cos(4 * std::numbers::pi * j / kCellDirections)));
  }
  return track;
}

int tissue_like(const Like& like, const std::vector<CellDrift>& tissue = {}) {
  std::vector<CellTrack> tracks(8, track_like({.speed = 1}));
  tracks.push_back(track_like(like));
  return tissue_like_tracks(tracks, tissue);
}

TEST(CellsStandingTracks, TissueIsLongerFainterAndSmallerTogether) {
  EXPECT_EQ(tissue_like({}), 0) << "a cell that stands";
  EXPECT_EQ(tissue_like({.stretch = 1.3}), 1);
  EXPECT_EQ(tissue_like({.stretch = 1.2}), 0) << "a cell may be somewhat longer";
  EXPECT_EQ(tissue_like({.stretch = 1.2, .score = -3}), 1) << "and fainter";
  EXPECT_EQ(tissue_like({.stretch = 1.2, .radius = 6}), 1) << "and smaller";
  EXPECT_EQ(tissue_like({.score = -2.5}), 0) << "a faint cell";
  EXPECT_EQ(tissue_like({.score = 2, .radius = 6}), 1) << "of either sign";
  EXPECT_EQ(tissue_like({.stretch = 1.2, .score = -8, .radius = 12}), 0)
      << "clearer and larger does not count";
  EXPECT_EQ(tissue_like_tracks({}, {}), 0);
}

TEST(CellsStandingTracks, TissueStands) {
  EXPECT_EQ(tissue_like({.stretch = 1.3, .speed = 0.09}), 1);
  EXPECT_EQ(tissue_like({.stretch = 1.3, .speed = 0.15}), 0) << "moves";
  EXPECT_EQ(tissue_like({.stretch = 1.3, .frames = 30}), 0) << "too short to tell";
  std::vector<CellDrift> drift;
  for (int k = 0; k < 60; ++k) drift.push_back({0.3 * k, 0});
  EXPECT_EQ(tissue_like({.stretch = 1.3, .speed = 0.3}, drift), 1) << "goes with the tissue";
  EXPECT_EQ(tissue_like({.stretch = 1.3}, drift), 0) << "against the tissue";
}

TEST(CellsStandingTracks, ResumedTracksBeginWhereOneEnded) {
  const auto resumed = [](const CellTrack& track, const std::vector<CellDrift>& tissue = {}) {
    return resumed_tracks({track_like({}, 60), track}, tissue);
  };
  EXPECT_EQ(resumed(track_like({}, 66, 90)), 1);
  EXPECT_EQ(resumed(track_like({}, 69, 90)), 0) << "another place";
  EXPECT_EQ(resumed(track_like({}, 60, 59)), 0) << "at the same time";
  EXPECT_EQ(resumed(track_like({.speed = 1}, 60, 90)), 0) << "moves on";
  EXPECT_EQ(resumed_tracks({track_like({.speed = 1}, 60), track_like({}, 119, 90)}, {}), 0)
      << "the one before came by";
  std::vector<CellDrift> jump(150);
  for (std::size_t k = 70; k < jump.size(); ++k) jump[k] = {20, 0};
  EXPECT_EQ(resumed(track_like({}, 80, 90), jump), 1) << "on the tissue";
  EXPECT_EQ(resumed(track_like({}, 60, 90), jump), 0);
}

}  // namespace
}  // namespace tessera
