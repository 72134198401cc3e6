// SPDX-License-Identifier: Apache-2.0
// Films of cells that are bright on one side and dark on the other.
#include "ops/cells/look/cells_relief.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "tests/support/disc_films.hpp"
#include "tests/support/lit_films.hpp"

namespace tessera {
namespace {

using testing::film_of;
using testing::follow;
using testing::Followed;
using testing::kLitStarts;
using testing::lit_film;
using testing::LitStart;
using testing::rolling;

void expect_one_track_each(const Followed& film) {
  ASSERT_EQ(film.tracks.size(), kLitStarts.size());
  for (const LitStart& start : kLitStarts)
    EXPECT_TRUE(std::ranges::any_of(film.tracks,
                                    [&](const CellTrack& track) {
                                      const CellSpot& spot = track.spots[track.spots.size() / 2];
                                      return std::hypot(spot.x - start.x - 1.5 * spot.frame,
                                                        spot.y - start.y) < 2;
                                    }))
        << start.x << ", " << start.y;
}

TEST(CellsRelief, IsMeasuredAndTakenAway) {
  const Followed film = follow(lit_film(9, 2.5, 50));
  expect_one_track_each(film);
  EXPECT_NEAR(std::stod(film.used.relief), 45, 5);
  EXPECT_TRUE(film.doubts.empty()) << film.doubts.front();
}

TEST(CellsRelief, GivenByTheCaller) {
  const Followed film = follow(lit_film(8, 3, 40), {.relief = "45"});
  expect_one_track_each(film);
  EXPECT_EQ(film.used.relief, "45");
}

TEST(CellsRelief, NoneInOtherFilms) {
  const Followed film = follow(film_of({280, 200}, 60, rolling(4)));
  EXPECT_EQ(film.used.relief, "none");
  const Followed as_it_is = follow(lit_film(9, 2.5, 50), {.relief = "none"});
  EXPECT_EQ(as_it_is.used.relief, "none");
}

TEST(CellsRelief, ThreadsDoNotMatter) {
  const Image film = lit_film(9, 2.5, 50, 50);
  const Followed one = follow(film, {}, 1), three = follow(film, {}, 3);
  ASSERT_EQ(one.tracks.size(), three.tracks.size());
  for (std::size_t i = 0; i < one.tracks.size(); ++i) {
    EXPECT_EQ(one.tracks[i].spots.back().x, three.tracks[i].spots.back().x);
    EXPECT_EQ(one.tracks[i].spots.back().score, three.tracks[i].spots.back().score);
  }
}

// The slope of a disc along the light, integrated, is the disc again, in its place.
TEST(CellsRelief, IntegrationGivesBackWhatHasTheSlope) {
  constexpr int kSide = 161, kMiddle = 80;
  for (const double degrees : {0.0, 30.0, 90.0, 135.0}) {
    const double angle = degrees * std::numbers::pi / 180;
    Image slope({kSide, kSide}, Type::f32);
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x < kSide; ++x) {
        const double u = x - kMiddle, v = y - kMiddle;
        const double along = std::cos(angle) * u + std::sin(angle) * v;
        slope.as<float>().at(x, y) =
            static_cast<float>(-along / 25 * std::exp(-(u * u + v * v) / 50));
      }
    Stream stream(kHost);
    const Image bump = CellsRelief({kSide, kSide}, angle).integrated(slope.view(), stream);
    const auto at = [&](int x, int y) { return bump.as<float>().at(kMiddle + x, kMiddle + y); };
    const float top = at(0, 0);
    EXPECT_GT(top, 1) << degrees << ": bright, because the bright side is the first";
    for (const auto& [x, y] : {std::pair(4, 0), std::pair(0, 4), std::pair(3, 3)}) {
      EXPECT_LT(at(x, y), top) << degrees;
      EXPECT_NEAR(at(x, y), at(-x, -y), 1e-3 * top) << degrees << ": the same on both sides";
    }
    EXPECT_LT(std::abs(at(30, 0)), 0.25F * top) << degrees;
    EXPECT_LT(std::abs(at(0, 30)), 0.25F * top) << degrees;
  }
}

TEST(CellsRelief, SamplesThatAreNotFiniteStayWhereTheyAre) {
  Image frame({64, 48}, Type::f32);
  std::ranges::fill(std::span(frame.as<float>().data, 64 * 48), 5.0F);
  frame.as<float>().at(20, 20) = std::nanf("");
  Stream stream(kHost);
  const Image result = CellsRelief({64, 48}, 0.3).integrated(frame.view(), stream);
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 64; ++x) EXPECT_NEAR(result.as<float>().at(x, y), 0, 1e-3);
}

}  // namespace
}  // namespace tessera
