// SPDX-License-Identifier: Apache-2.0
// Radii that are measured in the film, and cells larger than the tracker's windows.
#include "ops/cells/look/cells_sizes.hpp"

#include <gtest/gtest.h>

#include "ops/cells/frames/cells_bins.hpp"
#include "tests/support/disc_films.hpp"

namespace tessera {
namespace {

using testing::Disc;
using testing::film_of;
using testing::follow;
using testing::Followed;
using testing::rolling;

/// Every disc has one track, at its place and with its radius.
void expect_followed(const Followed& film, const std::vector<Disc>& discs) {
  ASSERT_EQ(film.tracks.size(), discs.size());
  for (const Disc& disc : discs) {
    const auto is_its_track = [&](const CellTrack& track) {
      const CellSpot& spot = track.spots[track.spots.size() / 2];
      return std::hypot(spot.x - disc.x - spot.frame * disc.speed, spot.y - disc.y) <
                 std::max(0.5, 0.1 * disc.radius) &&
             std::abs(spot.radius - disc.radius) < std::max(1.0, 0.15 * disc.radius);
    };
    EXPECT_TRUE(std::ranges::any_of(film.tracks, is_its_track)) << disc.radius;
    for (const CellTrack& track : film.tracks) {
      const CellSpot& spot = track.spots[track.spots.size() / 2];
      if (!is_its_track(track) || !spot.has_outline()) continue;
      for (const float radius : spot.outline)
        EXPECT_NEAR(radius, disc.radius, std::max(1.5, 0.2 * disc.radius));
    }
  }
}

TEST(CellsSizes, LargeCellsAreFollowedWithoutOptions) {
  const std::vector<Disc> discs{
      {60, 60, 30, 1, 60}, {70, 190, 40, 1.5, 60}, {260, 100, 34, 0.7, 60}, {270, 220, 27, -1, 50}};
  const Followed film = follow(film_of({400, 280}, 80, discs));
  expect_followed(film, discs);
  EXPECT_GT(*film.used.min_radius, 14);
  EXPECT_LT(*film.used.min_radius, 27);
  EXPECT_GT(*film.used.max_radius, 40);
  EXPECT_GE(film.sizes.size(), 8U);
  EXPECT_NEAR(film.sizes.back(), 40, 4);
  EXPECT_TRUE(film.doubts.empty()) << film.doubts.front();
}

TEST(CellsSizes, SmallCellsAreFollowedWithoutOptions) {
  std::vector<Disc> discs;
  for (int i = 0; i < 5; ++i) discs.push_back({15.0 + 12 * i, 15.0 + 22 * i, 4, 1.5, 80});
  const Followed film = follow(film_of({180, 130}, 60, discs));
  expect_followed(film, discs);
  EXPECT_LT(*film.used.max_radius, 9);
}

TEST(CellsSizes, UsualCellsGetTheUsualRadii) {
  const Image film = film_of({280, 200}, 60, rolling(4));
  const Followed measured = follow(film), given = follow(film, {.min_radius = 6, .max_radius = 14});
  EXPECT_EQ(measured.used.min_radius, 6);
  EXPECT_EQ(measured.used.max_radius, 14);
  EXPECT_FALSE(measured.sizes.empty());
  EXPECT_TRUE(given.sizes.empty()) << "nothing was to be measured";
  ASSERT_EQ(measured.tracks.size(), given.tracks.size());
  for (std::size_t i = 0; i < given.tracks.size(); ++i) {
    ASSERT_EQ(measured.tracks[i].spots.size(), given.tracks[i].spots.size());
    for (std::size_t k = 0; k < given.tracks[i].spots.size(); ++k) {
      EXPECT_EQ(measured.tracks[i].spots[k].x, given.tracks[i].spots[k].x);
      EXPECT_EQ(measured.tracks[i].spots[k].radius, given.tracks[i].spots[k].radius);
    }
  }
}

TEST(CellsSizes, GivenRadiiUpToOneHundredPixels) {
  const std::vector<Disc> discs{{150, 120, 64, 1, 70}, {160, 290, 58, 1, 70}};
  expect_followed(follow(film_of({420, 400}, 50, discs), {.min_radius = 40, .max_radius = 80}),
                  discs);
}

TEST(CellsSizes, ThreadsDoNotMatter) {
  const std::vector<Disc> discs{
      {60, 60, 30, 1, 60}, {70, 190, 40, 1.5, 60}, {260, 100, 34, 0.7, 60}};
  const Image film = film_of({400, 280}, 60, discs);
  const Followed one = follow(film, {}, 1), three = follow(film, {}, 3);
  EXPECT_EQ(one.sizes, three.sizes);
  ASSERT_EQ(one.tracks.size(), three.tracks.size());
  for (std::size_t i = 0; i < one.tracks.size(); ++i)
    EXPECT_EQ(one.tracks[i].spots.back().x, three.tracks[i].spots.back().x);
}

TEST(CellsSizes, FewCirclesChangeNothing) {
  EXPECT_FALSE(radii_to_search({30, 30, 30, 30, 30}));
  EXPECT_TRUE(radii_to_search({30, 30, 30, 30, 30, 30}));
  EXPECT_FALSE(radii_to_search({8, 9, 10, 10, 11, 12}));
  // Many small parts of a few large cells.
  const auto radii = radii_to_search({3, 3, 3, 3, 4, 5, 6, 7, 30, 32, 35});
  ASSERT_TRUE(radii);
  EXPECT_GT(radii->first, 14);
}

TEST(CellsBins, MeansOfSquares) {
  Image frame({5, 4}, Type::u16);
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 5; ++x)
      frame.as<unsigned short>().at(x, y) = static_cast<unsigned short>(10 * y + x);
  const Image half = binned(std::as_const(frame).view(), {2});
  ASSERT_EQ(half.info().size.width, 2);
  ASSERT_EQ(half.info().size.height, 2);
  EXPECT_EQ(half.as<float>().at(0, 0), 5.5F);
  EXPECT_EQ(half.as<float>().at(1, 1), 27.5F);
  EXPECT_EQ(CellsBins{2}.original(1), 2.5) << "the middle of pixels 2 and 3";
  EXPECT_EQ(CellsBins{2}.binned(2.5), 1);
  const Image wider = binned(std::as_const(frame).view(), {2, 1});
  ASSERT_EQ(wider.info().size.width, 4);
  EXPECT_EQ(wider.as<float>().at(0, 0), 5.5F);
  EXPECT_EQ(wider.as<float>().at(3, 2), 27.5F);
  EXPECT_EQ((CellsBins{2, 1}.original(2)), 2.5);
}

TEST(CellsBins, SamplesThatAreNotFiniteDoNotCount) {
  Image frame({4, 2}, Type::f32);
  const auto to = frame.as<float>();
  for (int x = 0; x < 4; ++x) to.at(x, 0) = to.at(x, 1) = x < 2 ? 3.0F : std::nanf("");
  to.at(0, 0) = HUGE_VALF;
  const Image half = binned(std::as_const(frame).view(), {2});
  EXPECT_EQ(half.as<float>().at(0, 0), 3.0F);
  EXPECT_TRUE(std::isnan(half.as<float>().at(1, 0)));
}

}  // namespace
}  // namespace tessera
