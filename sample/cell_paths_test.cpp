// SPDX-License-Identifier: Apache-2.0
// Positions of the cells of films: the numbers that the specification of `cells` requires.
#include "sample/cell_paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sample/exact_math.hpp"

namespace tessera {
namespace {

constexpr Size kFrame{640, 480};

CellFilmTruth truth_of(std::uint64_t seed, const CellFilmOptions& given) {
  const CellFilmOptions options = filled(given);
  return roll_cells(kFrame, seed, options, CellVessel(kFrame, seed, options));
}

TEST(ExactMath, SinesAreNearTheLibrarys) {
  constexpr double kTwoPi = 6.283185307179586476925286766559;
  for (double turns = -3; turns < 3; turns += 0.0137) {
    EXPECT_NEAR(sine_of_turns(turns), std::sin(kTwoPi * turns), 1e-14) << turns;
    EXPECT_NEAR(cosine_of_turns(turns), std::cos(kTwoPi * turns), 1e-14) << turns;
  }
  EXPECT_EQ(sine_of_turns(0), 0);
}

// The specification's numbers, in digits: a change of the preset changes this test.
TEST(CellFilmOptions, HardIsFixed) {
  const CellFilmOptions o = filled({.preset = CellFilmPreset::hard});
  EXPECT_EQ(o.frames, 300);
  EXPECT_EQ(o.cells, 40);
  EXPECT_EQ(o.radius_low, 7);
  EXPECT_EQ(o.radius_high, 12);
  EXPECT_EQ(o.contrast_low, 6);
  EXPECT_EQ(o.contrast_high, 18);
  EXPECT_EQ(o.bright, 0.75);
  EXPECT_EQ(o.speed_low, 0.2);
  EXPECT_EQ(o.speed_high, 4);
  EXPECT_EQ(o.stops, 8);
  EXPECT_EQ(o.texture, 6);
  EXPECT_EQ(o.texture_fine, 4);
  EXPECT_EQ(o.texture_coarse, 30);
  EXPECT_EQ(o.light, 0.25);
  EXPECT_EQ(o.drift, 0.1);
  EXPECT_EQ(o.noise, 8);
  EXPECT_EQ(o.crossings, 8);
  EXPECT_EQ(o.entries, 10);
  EXPECT_EQ(o.exits, 10);
}

TEST(CellFilmOptions, WhatIsGivenStays) {
  const CellFilmOptions o = filled({.preset = CellFilmPreset::hard, .noise = 1});
  EXPECT_EQ(o.noise, 1);
  EXPECT_EQ(o.crossings, 8);
  const CellFilmOptions few = filled({.preset = CellFilmPreset::hard, .cells = 3});
  EXPECT_EQ(few.crossings, 0);  // minimum numbers belong to the preset's own film
  EXPECT_EQ(few.stops, 3);
}

class HardFilms : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  const CellFilmTruth truth_ = truth_of(GetParam(), {.preset = CellFilmPreset::hard});
};

TEST_P(HardFilms, HaveWhatTheSpecificationAsksFor) {
  EXPECT_EQ(truth_.cells.size(), 40u);
  EXPECT_GE(truth_.crossings.size(), 8u);
  EXPECT_GE(truth_.entries, 10);
  EXPECT_GE(truth_.exits, 10);
  int bright = 0, long_seen = 0, at_first = 0;
  std::set<int> ids;
  for (const FilmCell& cell : truth_.cells) {
    bright += cell.contrast > 0;
    long_seen += cell.track.spots.size() >= 60;
    at_first += cell.track.spots.front().frame == 0;
    ids.insert(cell.track.id);
    EXPECT_GE(cell.track.spots.size(), 40u);
    EXPECT_GE(std::abs(cell.contrast), 6);
    EXPECT_LE(std::abs(cell.contrast), 18);
  }
  EXPECT_EQ(bright, 30);
  EXPECT_GE(long_seen, 36);
  EXPECT_GE(at_first, 10);
  EXPECT_EQ(ids.size(), 40u);
  EXPECT_EQ(*ids.rbegin(), 40);
}

TEST_P(HardFilms, HaveTracksThatACellCanTake) {
  for (const FilmCell& cell : truth_.cells) {
    const auto& spots = cell.track.spots;
    for (std::size_t k = 0; k < spots.size(); ++k) {
      EXPECT_GE(spots[k].radius, 7);
      EXPECT_LE(spots[k].radius, 12);
      EXPECT_TRUE(spots[k].x >= 0 && spots[k].x <= 639 && spots[k].y >= 0 && spots[k].y <= 479);
      if (k == 0) continue;
      EXPECT_EQ(spots[k].frame, spots[k - 1].frame + 1);
      // 4 px rolling, drift, and the sideways part of bend and wander.
      EXPECT_LT(std::hypot(spots[k].x - spots[k - 1].x, spots[k].y - spots[k - 1].y), 4.3);
      EXPECT_GT(spots[k].x - spots[k - 1].x, -0.11);  // none rolls back; it may drift
    }
    // Upstream is left: cells enter there, or drift in over an edge.
    EXPECT_TRUE(spots.front().frame == 0 || spots.front().x < 4.2) << spots.front().x;
    EXPECT_TRUE(spots.back().frame == 299 || spots.back().x > 639 - 4.2) << spots.back().x;
  }
}

TEST_P(HardFilms, HaveCellsThatCanBeToldApart) {
  for (const FilmCell& a : truth_.cells)
    for (const FilmCell& b : truth_.cells) {
      if (&a == &b) continue;
      const int overlap = longest_overlap(a.track, b.track);
      EXPECT_LE(overlap, 45);
      EXPECT_LE(3 * overlap, static_cast<int>(a.track.spots.size()));
    }
}

TEST_P(HardFilms, HaveCellsThatStop) {
  int stopped = 0;
  for (const FilmCell& cell : truth_.cells) {
    const auto& spots = cell.track.spots;
    int still = 0, longest = 0;
    for (std::size_t k = 1; k < spots.size(); ++k) {
      const double step = std::hypot(spots[k].x - spots[k - 1].x, spots[k].y - spots[k - 1].y);
      still = step < 0.101 ? still + 1 : 0;  // the drift stays
      longest = std::max(longest, still);
    }
    stopped += longest >= 9;
  }
  EXPECT_GE(stopped, 4);  // of 8; some stop where the film or the frame ends
}

INSTANTIATE_TEST_SUITE_P(Seeds, HardFilms, ::testing::Range<std::uint64_t>(1, 21));

TEST(CellPaths, FollowTheFlow) {
  for (const double flow : {0.0, 90.0, 180.0, -30.0}) {
    const CellFilmTruth truth = truth_of(
        3, {.preset = CellFilmPreset::easy, .flow = flow, .drift = 0.0, .entries = 0, .exits = 0});
    const double x = std::cos(flow * 3.14159265358979 / 180),
                 y = std::sin(flow * 3.14159265358979 / 180);
    for (const FilmCell& cell : truth.cells) {
      const CellSpot &first = cell.track.spots.front(), &last = cell.track.spots.back();
      const double along = (last.x - first.x) * x + (last.y - first.y) * y;
      const double across = (last.y - first.y) * x - (last.x - first.x) * y;
      EXPECT_NEAR(along / (last.frame - first.frame), cell.speed, 0.25 * cell.speed) << flow;
      EXPECT_LT(std::abs(across), 30) << flow;
    }
  }
}

TEST(CellPaths, SpeedsCoverTheRange) {
  double least = 9, most = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    for (const FilmCell& cell : truth_of(seed, {.preset = CellFilmPreset::hard}).cells) {
      least = std::min(least, cell.speed);
      most = std::max(most, cell.speed);
    }
  EXPECT_LT(least, 0.5);
  EXPECT_GE(least, 0.2);
  EXPECT_GT(most, 3.7);
  EXPECT_LE(most, 4);
}

}  // namespace
}  // namespace tessera
