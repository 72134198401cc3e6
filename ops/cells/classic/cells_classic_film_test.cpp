// SPDX-License-Identifier: Apache-2.0
// The classic model's runner on small films.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>

#include "ops/cells/cells_check.hpp"
#include "ops/cells/classic/cells_classic.hpp"
#include "tessera/cells_steps.hpp"

namespace tessera {
namespace {

constexpr Size kFrame{200, 170};
constexpr int kTop = 60, kLeft = 50, kApart = 60;

/// Three cells of radius 10 with soft edges, bright, dark and bright, that roll over noisy
/// ground, one pixel per frame.
Image film_of(int frames) {
  Size size = kFrame;
  size.planes = frames;
  Image film(size, Type::u8);
  std::mt19937 random(3);
  for (int k = 0; k < frames; ++k)
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) {
        double level = 100 + static_cast<double>(random() % 5);
        for (int cell = 0; cell < 3; ++cell) {
          const double away = std::hypot(x - kLeft - kApart * cell % 100 - k, y - kTop - 30 * cell);
          level += (cell == 1 ? -60 : 60) / (1 + std::exp((away - 10) / 1.5));
        }
        film.as<unsigned char>().at(x, y, 0, k) = static_cast<unsigned char>(level);
      }
  return film;
}

CellsRunnerPointer runner_for(const ImageInfo& frame) {
  CellsOptions options;
  options.model = CellsModel::classic;
  return make_cells_classic(make_cells_problem(frame, options));
}

std::vector<CellTrack> tracks_of(const Image& film, int threads) {
  ImageInfo frame = film.info();
  frame.size.planes = 1;
  const CellsRunnerPointer runner = runner_for(frame);
  Stream stream(kHost, threads);
  const std::unique_ptr<CellsWork> work = runner->start(1);
  for (int k = 0; k < film.info().size.planes; ++k)
    runner->add(*work, film.view().only_plane(k), stream);
  runner->finish(*work, stream);
  EXPECT_EQ(runner->frames_done(*work), film.info().size.planes);
  return runner->tracks(*work, 0);
}

bool same_spots(const CellTrack& a, const CellTrack& b) {
  return a.id == b.id && std::ranges::equal(a.spots, b.spots, [](const auto& s, const auto& t) {
           return s.frame == t.frame && s.x == t.x && s.y == t.y && s.radius == t.radius &&
                  s.score == t.score && s.seen == t.seen;
         });
}

TEST(CellsClassicFilm, CellsAreReportedFortyRowsTooHigh) {
  const std::vector<CellTrack> tracks = tracks_of(film_of(1), 1);
  ASSERT_EQ(tracks.size(), 3U);
  for (int cell = 0; cell < 3; ++cell) {
    const CellTrack& track = tracks[static_cast<std::size_t>(cell)];
    ASSERT_EQ(track.spots.size(), 1U);
    EXPECT_EQ(track.id, cell + 1);
    // The slip of the spline moves the centre by a pixel or two besides.
    EXPECT_NEAR(track.spots[0].x, kLeft + kApart * cell % 100, 3) << cell;
    EXPECT_NEAR(track.spots[0].y, kTop + 30 * cell - 40, 3) << cell;
    EXPECT_EQ(track.spots[0].radius, 10);
    EXPECT_EQ(track.spots[0].score > 0, cell == 1) << cell;
  }
}

TEST(CellsClassicFilm, TracksNeverBeginOrEnd) {
  const std::vector<CellTrack> tracks = tracks_of(film_of(4), 2);
  ASSERT_EQ(tracks.size(), 3U);
  for (const CellTrack& track : tracks) {
    ASSERT_EQ(track.spots.size(), 4U);
    for (int k = 0; k < 4; ++k) EXPECT_EQ(track.spots[static_cast<std::size_t>(k)].frame, k);
  }
}

TEST(CellsClassicFilm, SameBitsForAnyThreads) {
  const Image film = film_of(4);
  const std::vector<CellTrack> one = tracks_of(film, 1);
  ASSERT_EQ(one.size(), 3U);
  for (const int threads : {2, 3, 8})
    EXPECT_TRUE(std::ranges::equal(one, tracks_of(film, threads), same_spots)) << threads;
}

TEST(CellsClassicFilm, StepsAreThoseOfTheTracks) {
  const Image film = film_of(3);
  const std::vector<CellTrack> tracks = tracks_of(film, 1);
  const CellsClassicSteps steps = cells_classic_steps(film.view(), "auto", 2);
  ASSERT_EQ(tracks.size(), 3U);
  ASSERT_EQ(steps.cells.size(), 3U);
  EXPECT_EQ(steps.gicov.info().size, kFrame);
  for (std::size_t c = 0; c < tracks.size(); ++c) {
    const CellsClassicSteps::Cell& cell = steps.cells[c];
    EXPECT_EQ(steps.gicov.as<double>().at(cell.column, cell.row), tracks[c].spots[0].score);
    ASSERT_EQ(cell.spots.size(), 3U);
    EXPECT_EQ(cell.spots[0].field_iterations, 0);
    EXPECT_GT(cell.spots[2].field_iterations, 10);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(cell.spots[k].x, tracks[c].spots[k].x);
      EXPECT_EQ(cell.spots[k].y, tracks[c].spots[k].y);
      EXPECT_EQ(tracks[c].spots[k].has_outline(), k > 0)
          << "a circle of 10 px is not a measurement";
    }
    const std::array<float, kCellDirections>& outline = tracks[c].spots[2].outline;
    EXPECT_NEAR(std::accumulate(outline.begin(), outline.end(), 0.0) / kCellDirections,
                tracks[c].spots[2].radius, 1e-5);
  }
}

TEST(CellsClassicFilm, DetectionIsTheFirstSpot) {
  const Image film = film_of(1);
  Stream stream(kHost, 2);
  const auto found = runner_for(film.info())->detect(film.view(), stream);
  const std::vector<CellTrack> tracks = tracks_of(film, 1);
  ASSERT_EQ(tracks.size(), 3U);
  ASSERT_EQ(found.size(), 3U);
  for (std::size_t k = 0; k < found.size(); ++k) {
    EXPECT_EQ(found[k].x, tracks[k].spots[0].x);
    EXPECT_EQ(found[k].y, tracks[k].spots[0].y);
  }
}

/// Two films at once are each as if alone.
TEST(CellsClassicFilm, FilmsDoNotMix) {
  const Image frames = film_of(2);
  Image blank(kFrame, Type::u8);
  Size both = kFrame;
  both.planes = 2;
  const CellsRunnerPointer runner = runner_for({kFrame, Type::u8});
  Stream stream(kHost, 2);
  const std::unique_ptr<CellsWork> work = runner->start(2);
  for (int k = 0; k < 2; ++k) {
    Image pair(both, Type::u8);
    copy_samples(blank.view(), pair.view().only_plane(0));
    copy_samples(frames.view().only_plane(k), pair.view().only_plane(1));
    runner->add(*work, pair.view(), stream);
  }
  EXPECT_TRUE(runner->tracks(*work, 0).empty());
  EXPECT_EQ(runner->tracks(*work, 1).size(), 3U);
  EXPECT_TRUE(std::ranges::equal(runner->tracks(*work, 1), tracks_of(frames, 1), same_spots));
}

/// After a frame without any edge the published program's positions are 0 / 0: tracks stop there.
TEST(CellsClassicFilm, BlankFrameLosesTheCells) {
  Image film = film_of(4);
  std::fill_n(film.view().address(0, 0, 2), kFrame.pixels(), static_cast<unsigned char>(90));
  const std::vector<CellTrack> tracks = tracks_of(film, 1);
  ASSERT_EQ(tracks.size(), 3U);
  for (const CellTrack& track : tracks) EXPECT_EQ(track.spots.size(), 2U);
  for (const CellsClassicSteps::Cell& cell : cells_classic_steps(film.view()).cells) {
    EXPECT_TRUE(std::isnan(cell.spots[2].x) && std::isnan(cell.spots[3].x));
    EXPECT_EQ(cell.spots[2].field_iterations, 1);
    EXPECT_EQ(cell.spots[3].field_iterations, 0);
  }
}

TEST(CellsClassicFilm, SmallFramesHaveNoCells) {
  for (const Size size : {Size{1, 1}, Size{44, 100}, Size{100, 44}, Size{45, 45}, Size{640, 3}}) {
    Size film = size;
    film.planes = 2;
    EXPECT_TRUE(tracks_of(Image(film, Type::u8), 2).empty()) << size.width << 'x' << size.height;
  }
}

}  // namespace
}  // namespace tessera
