// SPDX-License-Identifier: Apache-2.0
// Speeds, classes, flux and histogram of tracks whose motion is known.
#include "jobs/cells/cells_summary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "jobs/cells/cells_motion.hpp"
#include "tests/support/bad_calls.hpp"

namespace tessera::testing {
namespace {

CellTrack line(int id, int first, int frames, double x, double y, double vx, double vy) {
  CellTrack track{id};
  for (int k = 0; k < frames; ++k)
    track.spots.push_back({first + k, x + vx * k, y + vy * k, 8, -3, k % 10 != 9});
  return track;
}

CellsFilmResult film_of(std::vector<CellTrack> tracks, int frames = 100) {
  CellsFilmResult result;
  result.tracks = std::move(tracks);
  result.film.width = 640;
  result.film.height = 480;
  result.film.frames = frames;
  result.calibration.frame_rate = 25;
  summarise(result);
  return result;
}

TEST(CellsSummary, OfAStraightTrackIsTheLine) {
  const CellsFilmResult result = film_of({line(1, 10, 51, 100, 200, 3, 4)});
  const CellTrackSummary& track = result.summaries.at(0);
  EXPECT_EQ(track.track, 1);
  EXPECT_EQ(track.first_frame, 10);
  EXPECT_EQ(track.last_frame, 60);
  EXPECT_EQ(track.frames, 51);
  EXPECT_EQ(track.seen, 46);
  EXPECT_DOUBLE_EQ(track.seconds, 2);
  EXPECT_NEAR(track.displacement, 250, 1e-9);
  EXPECT_NEAR(track.path_length, 250, 1e-9);
  EXPECT_NEAR(track.straightness, 1, 1e-12);
  EXPECT_NEAR(track.direction, std::atan2(4, 3) * 180 / M_PI, 1e-9);
  for (const double speed : {track.mean_speed, track.median_speed, track.max_speed})
    EXPECT_NEAR(speed, 5, 1e-9);
  EXPECT_NEAR(track.mean_radius, 8, 1e-12);
  EXPECT_NEAR(track.mean_score, -3, 1e-12);
  EXPECT_EQ(track.does, CellClass::rolling);
  for (const double speed : result.speeds.at(0)) EXPECT_NEAR(speed, 5, 1e-9);
}

// A stage that drifts carries cells that adhere along.
TEST(CellsSummary, SpeedsAreThoseOnTheTissue) {
  const CellTrack carried = line(1, 5, 95, 100, 200, 0.3, -0.2),
                  rolling = line(2, 5, 95, 100, 300, 2.3, -0.2);
  CellsFilmResult result = film_of({carried, rolling}, 95);
  EXPECT_EQ(result.counts.adherent, 0);
  result.film.first_frame = 5;
  for (int frame = 0; frame < 95; ++frame) result.drift.push_back({0.3 * frame, -0.2 * frame});
  summarise(result);
  EXPECT_EQ(result.counts.adherent, 1);
  EXPECT_EQ(result.summaries[0].does, CellClass::adherent);
  EXPECT_NEAR(result.summaries[0].displacement, 0, 1e-9);
  EXPECT_NEAR(result.summaries[1].mean_speed, 2, 1e-9);
  EXPECT_NEAR(result.summaries[1].direction, 0, 1e-9);
  EXPECT_EQ(result.tracks[0].spots[10].x, carried.spots[10].x);
  EXPECT_NEAR(largest_drift(result.drift), 94 * std::hypot(0.3, 0.2), 1e-9);
  // A spot that was added outside of the frames that were read.
  EXPECT_EQ(motion_of(line(3, 200, 2, 1, 1, 0, 0), 15, result.drift, 5)[0].speed, 0);
}

// The variance of a least-squares slope: 12 sigma^2 / (n (n^2 - 1)).
TEST(CellsSummary, WindowsTakeNoiseAway) {
  std::mt19937 random(3);
  std::normal_distribution<> noise(0, 0.4);
  CellTrack track = line(1, 0, 2000, 0, 0, 1, 0);
  for (CellSpot& spot : track.spots) spot.x += noise(random), spot.y += noise(random);
  double worst = 0, squares = 0;
  for (const SpotMotion& at : motion_of(track, 15)) {
    worst = std::max(worst, std::abs(at.vx - 1));
    squares += (at.vx - 1) * (at.vx - 1) / 2000;
  }
  const double expected = 0.4 * std::sqrt(12.0 / (15 * 224));
  EXPECT_NEAR(std::sqrt(squares), expected, 0.2 * expected);
  EXPECT_LT(worst, 5 * expected);
}

TEST(CellsSummary, WindowsStayInsideTheTrack) {
  CellTrack track = line(1, 0, 40, 0, 0, 2, 0);
  track.spots[39].x += 30;  // only windows with the last spot may be affected
  const auto motion = motion_of(track, 7);
  for (int k = 0; k < 36; ++k) EXPECT_NEAR(motion[static_cast<std::size_t>(k)].speed, 2, 1e-9) << k;
  EXPECT_GT(motion[36].speed, 3);
  EXPECT_NEAR(motion[36].vx, motion[39].vx, 1e-9);
  const auto two = motion_of(line(2, 0, 2, 5, 5, 0, 3), 15);
  EXPECT_NEAR(two[0].speed, 3, 1e-12);
  EXPECT_TRUE(std::isnan(motion_of(line(3, 0, 1, 5, 5, 0, 0), 15)[0].speed));
}

TEST(CellsSummary, ClassesByRests) {
  CellTrack stops = line(3, 0, 100, 50, 50, 1, 0);  // moves 70 frames, then stands 30
  for (std::size_t k = 70; k < 100; ++k) stops.spots[k].x = stops.spots[69].x;
  const CellsFilmResult result =
      film_of({line(1, 0, 100, 300, 300, 0, 0), line(2, 0, 40, 200, 200, 0.05, 0), stops,
               line(4, 0, 1, 9, 9, 0, 0)});
  const CellClass expected[] = {CellClass::adherent, CellClass::resting, CellClass::rolling,
                                CellClass::unknown};
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(result.summaries[k].does, expected[k]) << k;
  EXPECT_EQ(result.counts.tracks, 4);
  EXPECT_EQ(result.counts.rolling, 1);
  EXPECT_EQ(result.counts.resting, 1);
  EXPECT_EQ(result.counts.adherent, 1);
  EXPECT_NEAR(result.summaries[0].longest_rest, 4, 1e-12);
  CellsFilmResult patient = result;
  patient.film.frames = 10000;  // 400 s: now 30 s are needed
  summarise(patient);
  EXPECT_EQ(patient.summaries[0].does, CellClass::resting);
  patient.measure.adherent_seconds = 3.9;
  summarise(patient);
  EXPECT_EQ(patient.summaries[0].does, CellClass::adherent);
}

TEST(CellsSummary, NoAdherentCellIsNoFactWhenTracksAreUncertain) {
  CellsFilmResult result = film_of({line(1, 0, 100, 100, 200, 3, 4)});
  EXPECT_EQ(result.counts.adherent, 0);
  result.doubts = {"something"};
  summarise(result);
  EXPECT_FALSE(result.counts.adherent.has_value());
}

TEST(CellsSummary, AShortFilmDoesNotShowAdhesion) {
  CellsFilmResult result = film_of({line(1, 0, 49, 300, 300, 0, 0)});
  result.film.frames = 49;  // 1.96 s
  summarise(result);
  EXPECT_FALSE(result.counts.adherent.has_value());
  EXPECT_EQ(result.summaries[0].does, CellClass::resting);
  result.measure.adherent_seconds = 1.5;  // the user says what is enough
  summarise(result);
  EXPECT_EQ(result.counts.adherent, 1);
  result.measure = {};
  result.film.frames = 50;
  result.tracks = {line(1, 0, 50, 300, 300, 0, 0)};
  summarise(result);
  EXPECT_EQ(result.counts.adherent, 1);
}

TEST(CellsSummary, FluxCountsCellsThatChangeSides) {
  std::vector<CellTrack> tracks{
      line(1, 0, 100, 280, 100, 1, 0),   // crosses x = 319.5
      line(2, 0, 100, 360, 200, -1, 0),  // crosses the other way
      line(3, 0, 100, 10, 300, 1, 0),    // does not come that far
      line(4, 0, 100, 310, 400, 1, 0),   // goes there and back
  };
  for (std::size_t k = 50; k < 100; ++k) tracks[3].spots[k].x = tracks[3].spots[99 - k].x;
  CellsFilmResult result = film_of(tracks);
  result.options.flow = 0;
  summarise(result);
  ASSERT_TRUE(result.counts.flux);
  EXPECT_EQ(result.counts.flux->crossings, 2);
  EXPECT_NEAR(result.counts.flux->per_minute, 30, 1e-9);  // 100 frames are 4 s
  result.measure.flux_line = "319.5,50,319.5,150";        // only the first passes there
  summarise(result);
  EXPECT_EQ(result.counts.flux->crossings, 1);
  result.options.crop = "0,0,20x480";  // only the third passes its middle
  result.measure.flux_line = "auto";
  summarise(result);
  EXPECT_NEAR(result.counts.flux->x1, 9.5, 1e-9);
  EXPECT_EQ(result.counts.flux->crossings, 0);
  EXPECT_FALSE(film_of({line(1, 0, 20, 5, 5, 0, 0)}).counts.flux) << "no direction, no line";
  EXPECT_TRUE(film_of({line(1, 0, 20, 5, 5, 0, 2)}).counts.flux);
}

TEST(CellsSummary, HistogramHoldsEveryTrackAndSpot) {
  const CellsFilmResult result = film_of(
      {line(1, 0, 20, 0, 0, 0.31, 0), line(2, 0, 30, 0, 9, 2.11, 0), line(3, 0, 1, 0, 0, 0, 0)});
  int tracks = 0, spots = 0;
  for (const SpeedBin& bin : result.histogram) {
    tracks += bin.tracks;
    spots += bin.spots;
    const auto holds = [&bin](double speed) { return bin.from <= speed && speed < bin.to; };
    EXPECT_EQ(bin.spots, holds(0.31) ? 20 : holds(2.11) ? 30 : 0);
  }
  EXPECT_EQ(tracks, 2);
  EXPECT_EQ(spots, 50);
  EXPECT_LE(result.histogram.size(), 26U);
  EXPECT_NEAR(*result.counts.mean_speed, 1.21, 1e-9);
  EXPECT_TRUE(film_of({}).histogram.empty());
  EXPECT_FALSE(film_of({}).counts.mean_speed);
}

TEST(CellsSummary, BadCalls) {
  const auto measure = [](auto change) {
    return [change] {
      CellsMeasure bad;
      change(bad);
      check_measure(bad);
    };
  };
  expect_refused({{measure([](auto& m) { m.speed_window = 4; }),
                   "cells: speed-window is 4; it can be 5 or more"},
                  {measure([](auto& m) { m.still_speed = -1; }),
                   "cells: still-speed is -1; it can be 0 or more"},
                  {measure([](auto& m) { m.adherent_seconds = 0; }),
                   "cells: adherent-seconds is 0; it can be more than 0"},
                  {measure([](auto& m) { m.flux_line = "1,2,3"; }),
                   "cells: flux-line '1,2,3' is not a line; write X1,Y1,X2,Y2 or auto"},
                  {measure([](auto& m) { m.flux_line = "1,2,3x4"; }),
                   "cells: flux-line '1,2,3x4' is not a line; write X1,Y1,X2,Y2 or auto"},
                  {measure([](auto& m) { m.flux_line = "5,6,5,6"; }),
                   "cells: flux-line 5,6,5,6 has no length; give two different ends"}});
}

}  // namespace
}  // namespace tessera::testing
