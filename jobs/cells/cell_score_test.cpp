// SPDX-License-Identifier: Apache-2.0
// Every figure here is worked out by hand in the comment next to it.
#include "jobs/cells/cell_score.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sample/cell_film.hpp"
#include "tests/support/files.hpp"

namespace tessera {
namespace {

using namespace testing;

/// A cell that moves evenly along x.
CellTrack line(int id, int first, int frames, double x, double y, double speed = 1,
               double radius = 8) {
  CellTrack track{id, {}};
  for (int k = 0; k < frames; ++k)
    track.spots.push_back({first + k, x + speed * k, y, radius, 0, true});
  return track;
}

CellTrack joined(CellTrack a, const CellTrack& b) {
  a.spots.insert(a.spots.end(), b.spots.begin(), b.spots.end());
  return a;
}

TEST(CellScore, OfTheTruthItselfIsPerfect) {
  const std::vector truth{line(1, 0, 100, 10, 20), line(2, 30, 50, 10, 80)};
  const CellScore score = score_tracks(truth, truth);
  for (const auto& one : {score.alpha, score.beta, score.jsc, score.jsc_theta, score.precision,
                          score.recall, score.found_share, score.near_share})
    EXPECT_EQ(one, 1.0);
  EXPECT_EQ(score.rmse, 0.0);
  EXPECT_EQ(score.velocity_error, 0.0);
  EXPECT_EQ(score.false_tracks, 0);
  EXPECT_EQ(score.there, 2);
  EXPECT_FALSE(score.kept_share);  // there are no crossings
}

TEST(CellScore, OfNothing) {
  const CellScore score = score_tracks({line(1, 0, 100, 10, 20)}, {});
  EXPECT_EQ(score.alpha, 0.0);
  EXPECT_EQ(score.beta, 0.0);
  EXPECT_EQ(score.jsc, 0.0);
  EXPECT_EQ(score.recall, 0.0);
  EXPECT_EQ(score.found_share, 0.0);
  EXPECT_FALSE(score.rmse || score.precision || score.false_share || score.velocity_error);
  const CellScore none = score_tracks({}, {line(1, 0, 20, 10, 20)});
  EXPECT_FALSE(none.alpha || none.recall || none.found_share);
  EXPECT_EQ(none.beta, 0.0);  // 0 / (0 + 5 * 20)
  EXPECT_EQ(none.false_share, 1.0);
}

// Truth: A of 20 frames, B of 10. Found: a is 2 px from A in its first 15 frames and goes on for
// 5 frames without it; c is of 10 frames, far from all. Gate 5.
TEST(CellScore, OfWholeTracks) {
  const std::vector truth{line(1, 0, 20, 10, 20), line(2, 0, 10, 10, 80)};
  const CellTrack beside = line(7, 0, 15, 10, 22), alone = line(7, 30, 5, 60, 200);
  const CellScore score = score_tracks(truth, {joined(beside, alone), line(8, 0, 10, 300, 300)});
  // d = A with a: 15 * 2 + 5 * 5 (only A) + 5 * 5 (only a) = 80, less than 100 with nothing; B: 50.
  EXPECT_NEAR(*score.alpha, 1 - 130.0 / 150, 1e-12);
  EXPECT_NEAR(*score.beta, 20.0 / (150 + 50), 1e-12);  // c is left over: 10 spots
  EXPECT_NEAR(*score.jsc, 15.0 / (15 + 15 + 15), 1e-12);
  EXPECT_NEAR(*score.jsc_theta, 1.0 / 3, 1e-12);
  EXPECT_NEAR(*score.rmse, 2, 1e-12);
  EXPECT_NEAR(*score.precision, 15.0 / 30, 1e-12);
  EXPECT_NEAR(*score.recall, 15.0 / 30, 1e-12);
  EXPECT_EQ(score.cells, 2);
  EXPECT_EQ(score.found, 1);
  EXPECT_EQ(score.false_tracks, 1);
  EXPECT_EQ(score.pieces, 0);
}

// With 15 frames of its own a pair costs 15 * 2 + 5 * 5 + 15 * 5 = 130: nothing costs 100.
TEST(CellScore, APairThatCostsMoreThanNothingIsNone) {
  const CellTrack long_one = joined(line(7, 0, 15, 10, 22), line(7, 30, 15, 60, 200));
  const CellScore score = score_tracks({line(1, 0, 20, 10, 20)}, {long_one});
  EXPECT_EQ(score.alpha, 0.0);
  EXPECT_EQ(score.jsc_theta, 0.0);
  EXPECT_EQ(score.found, 1);         // near for 15 of 20 frames
  EXPECT_EQ(score.false_tracks, 0);  // 15 of 30 spots are true
}

TEST(CellScore, TheGateItselfIsTooFar) {
  EXPECT_EQ(score_tracks({line(1, 0, 20, 10, 20)}, {line(1, 0, 20, 10, 25)}).found, 0);
  EXPECT_EQ(score_tracks({line(1, 0, 20, 10, 20)}, {line(1, 0, 20, 10, 25)}).recall, 0.0);
  EXPECT_EQ(score_tracks({line(1, 0, 20, 10, 20)}, {line(1, 0, 20, 10, 24.9)}).recall, 1.0);
  EXPECT_EQ(score_tracks({line(1, 0, 20, 10, 20)}, {line(1, 0, 20, 10, 25)}, {.gate = 6}).recall,
            1.0);
}

TEST(CellScore, HalfOfTheFramesFindACell) {
  const std::vector truth{line(1, 0, 20, 10, 20)};
  EXPECT_EQ(score_tracks(truth, {line(1, 0, 10, 10, 20)}).found, 1);
  EXPECT_EQ(score_tracks(truth, {line(1, 0, 9, 10, 20)}).found, 0);
  // Two halves: one finds the cell, the other is a piece and not false.
  const CellScore halves = score_tracks(truth, {line(1, 0, 10, 10, 20), line(2, 10, 10, 20, 20)});
  EXPECT_EQ(halves.found, 1);
  EXPECT_EQ(halves.pieces, 1);
  EXPECT_EQ(halves.false_tracks, 0);
  // A second track on the same cell, further away, is false.
  const CellScore twice = score_tracks(truth, {line(1, 0, 20, 10, 20), line(2, 0, 20, 10, 21)});
  EXPECT_EQ(twice.found, 1);
  EXPECT_EQ(twice.false_tracks, 1);
  EXPECT_EQ(twice.precision, 0.5);
  // Nine spots are too few for a cell to be found, but a track on them is not false.
  const CellScore brief = score_tracks({line(1, 0, 9, 10, 20)}, {line(1, 0, 9, 10, 20)});
  EXPECT_EQ(brief.cells, 0);
  EXPECT_EQ(brief.false_tracks, 0);
}

TEST(CellScore, OneTrackFindsOneCell) {
  // It is near A for 20 frames and near B, 3 px from A, for the same 20.
  const CellScore score =
      score_tracks({line(1, 0, 20, 10, 20), line(2, 0, 20, 10, 23)}, {line(1, 0, 20, 10, 20)});
  EXPECT_EQ(score.cells, 2);
  EXPECT_EQ(score.found, 1);
}

TEST(CellScore, NearAtAFrame) {
  const std::vector truth{line(1, 0, 100, 10, 20), line(2, 0, 100, 10, 80),
                          line(3, 0, 100, 10, 150), line(4, 0, 50, 10, 220)};
  const std::vector found{line(1, 0, 100, 10, 21.9), line(2, 0, 100, 10, 82.1)};
  const CellScore score = score_tracks(truth, found);
  EXPECT_EQ(score.there, 3);  // the fourth is gone at frame 60
  EXPECT_EQ(score.near, 1);
  EXPECT_EQ(score.followed, 2);
  EXPECT_EQ(score.near_followed, 1);
  EXPECT_NEAR(*score.near_share, 1.0 / 3, 1e-12);
  EXPECT_NEAR(*score.near_followed_share, 0.5, 1e-12);
  EXPECT_EQ(score_tracks(truth, found, {.near = 3}).near, 2);
  EXPECT_EQ(score_tracks(truth, found, {.frame = 40}).there, 4);
}

TEST(CellScore, VelocityIsThatOfCommonFrames) {
  // 1 px/frame against 1.02; in the 41 frames that both have they are 0.4 px apart at most.
  const CellScore score = score_tracks({line(1, 0, 61, 10, 20)}, {line(1, 20, 41, 30, 20, 1.02)});
  EXPECT_EQ(score.velocities, 1);
  EXPECT_NEAR(*score.velocity_error, 0.02, 1e-12);
  // Ten frames between are needed.
  EXPECT_EQ(score_tracks({line(1, 0, 11, 10, 20)}, {line(1, 0, 11, 10, 20)}).velocities, 1);
  EXPECT_EQ(score_tracks({line(1, 0, 10, 10, 20)}, {line(1, 0, 10, 10, 20)}).velocities, 0);
  // Sideways counts as well.
  CellTrack sideways = line(1, 0, 21, 10, 20);
  for (CellSpot& spot : sideways.spots) spot.y += 0.1 * spot.frame;
  EXPECT_NEAR(*score_tracks({line(1, 0, 21, 10, 20)}, {sideways}).velocity_error, 0.1, 1e-12);
}

// B starts 40 px ahead of A, which is 2 px/frame faster: level in frame 20, discs (radius 8 each)
// nearer than 16 px from frame 13 to 27: |40 - 2 k| < 16 (5 px aside: < 15.2).
class CellCrossingScore : public ::testing::Test {
 protected:
  const CellTrack a_ = line(1, 0, 60, 10, 20, 3), b_ = line(2, 0, 60, 50, 25, 1);
  const std::vector<CellTrack> truth_{a_, b_};
};

TEST_F(CellCrossingScore, IsFoundInTheTruth) {
  EXPECT_EQ(find_crossings(truth_), (std::vector<CellCrossing>{{13, 27, 1, 2}}));
  EXPECT_EQ(score_tracks(truth_, truth_).kept_share, 1.0);
}

TEST_F(CellCrossingScore, IsLostWhenTracksChangePlaces) {
  const auto part = [](const CellTrack& track, int first, int end) {
    CellTrack cut{track.id, {}};
    for (const CellSpot& spot : track.spots)
      if (spot.frame >= first && spot.frame < end) cut.spots.push_back(spot);
    return cut;
  };
  const auto score = [&](std::vector<CellTrack> found) { return score_tracks(truth_, found); };
  const CellScore changed =
      score({joined(part(a_, 0, 20), part(b_, 20, 60)), joined(part(b_, 0, 20), part(a_, 20, 60))});
  EXPECT_EQ(changed.crossings, 1);
  EXPECT_EQ(changed.crossings_kept, 0);
  // One of them ends in the overlap and begins again behind it.
  CellTrack anew = part(b_, 24, 60);
  anew.id = 3;
  EXPECT_EQ(score({a_, part(b_, 0, 18), anew}).crossings_kept, 0);
  // One is missing; both are missing.
  EXPECT_EQ(score({a_}).crossings_kept, 0);
  EXPECT_EQ(score({}).kept_share, 0.0);
  // A gap while they overlap does not matter.
  EXPECT_EQ(score({a_, joined(part(b_, 0, 13), part(b_, 28, 60))}).crossings_kept, 1);
  // In three of the five frames before is enough, in two it is not.
  EXPECT_EQ(score({a_, part(b_, 10, 60)}).crossings_kept, 1);
  EXPECT_EQ(score({a_, part(b_, 11, 60)}).crossings_kept, 0);
}

TEST_F(CellCrossingScore, NeedsFramesApartAndAnotherSide) {
  const auto crossings = [](const CellTrack& a, const CellTrack& b) {
    return find_crossings({a, b}).size();
  };
  // Apart from frame 28 on: five frames are 28 to 32.
  EXPECT_EQ(crossings(a_, line(2, 0, 33, 50, 25, 1)), 1u);
  EXPECT_EQ(crossings(a_, line(2, 0, 32, 50, 25, 1)), 0u);
  // It catches up and falls back.
  CellTrack back = line(1, 0, 60, 10, 20, 3);
  for (CellSpot& spot : back.spots)
    if (spot.frame > 15) spot.x = 55 - (spot.frame - 15);
  EXPECT_EQ(crossings(back, b_), 0u);
  // It passes at 16 px: the discs do not overlap.
  EXPECT_EQ(crossings(a_, line(2, 0, 60, 50, 36, 1)), 0u);
}

TEST(CellScore, OfAFilmsTruthWithShiftedPositions) {
  const CellFilm film({640, 480}, 1, Type::u8, {.preset = CellFilmPreset::hard});
  std::vector<CellTrack> shifted = film.truth().tracks();
  for (CellTrack& track : shifted)
    for (CellSpot& spot : track.spots) spot.x += 0.6, spot.y -= 0.8;
  const CellScore score = score_tracks(film.truth().tracks(), shifted);
  EXPECT_NEAR(*score.rmse, 1, 1e-9);
  EXPECT_NEAR(*score.alpha, 0.8, 1e-9);  // 1 of 5 px everywhere
  EXPECT_NEAR(*score.beta, 0.8, 1e-9);
  EXPECT_EQ(score.found_share, 1.0);
  EXPECT_EQ(score.near_share, 1.0);
  EXPECT_NEAR(*score.velocity_error, 0, 1e-12);
  EXPECT_EQ(score.crossings, static_cast<int>(film.truth().crossings.size()));
  EXPECT_EQ(score.kept_share, 1.0);
}

TEST(CellScore, RefusesGatesThatCannotBe) {
  for (const double gate : {0.0, -1.0, std::nan("")})
    expect_error([&] { score_tracks({}, {}, {.gate = gate}); }, ErrorKind::usage, "cells: gate is");
  expect_error([] { score_tracks({}, {}, {.near = 6}); }, ErrorKind::usage,
               "cells: near is 6; it must be 0 to the gate's 5 pixels");
}

TEST(CellScore, IsSaidInWordsAndNumbers) {
  const std::vector truth{line(1, 0, 100, 10, 20)};
  const std::string text = score_tracks(truth, truth).describe();
  EXPECT_NE(text.find("alpha 1.0000, beta 1.0000"), std::string::npos) << text;
  EXPECT_NE(text.find("cells: 1 of 1 found (100.0%)"), std::string::npos) << text;
  EXPECT_NE(text.find("crossings: 0 of 0 kept (-)"), std::string::npos) << text;
}

}  // namespace
}  // namespace tessera
