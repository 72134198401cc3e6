// SPDX-License-Identifier: Apache-2.0
// Label masks of cells that lie apart, overlap, hide each other, or have left the frame.
#include "jobs/cells/cell_labels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tessera/error.hpp"

namespace tessera::testing {
namespace {

constexpr int kWide = 60, kHigh = 40;

CellTrack at(int id, double x, double y, double radius) {
  return {id, {{.frame = 5, .x = x, .y = y, .radius = radius}}};
}

struct Painted {
  explicit Painted(const std::vector<CellTrack>& tracks, int width = kWide, int height = kHigh)
      : painter(width, height) {
    std::vector<const CellTrack*> all;
    for (const CellTrack& track : tracks) all.push_back(&track);
    labels = painter.paint(all, 5).as<const std::uint16_t>();
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) ++pixels[labels.at(x, y)];
  }
  CellLabels painter;
  View<const std::uint16_t> labels;
  std::map<int, int> pixels;
};

TEST(CellLabels, CirclesHaveTheirArea) {
  const Painted painted({at(3, 20, 20, 8), at(70, 45.5, 17.25, 6)});
  EXPECT_NEAR(painted.pixels.at(3), M_PI * 64, 8);
  EXPECT_NEAR(painted.pixels.at(70), M_PI * 36, 6);
  EXPECT_EQ(painted.labels.at(20, 20), 3);
  EXPECT_EQ(painted.labels.at(45, 17), 70);
  EXPECT_EQ(painted.labels.at(0, 0), 0);
}

TEST(CellLabels, OutlinesAreDrawnAsMeasured) {
  CellTrack track = at(1, 30, 20, 8);
  for (int j = 0; j < kCellDirections; ++j)  // long to the right and left
    track.spots[0].outline[static_cast<std::size_t>(j)] =
        static_cast<float>(8 + 4 * std::cos(4 * M_PI * j / kCellDirections));
  const Painted painted({track});
  EXPECT_EQ(painted.labels.at(41, 20), 1);
  EXPECT_EQ(painted.labels.at(43, 20), 0);
  EXPECT_EQ(painted.labels.at(30, 23), 1);
  EXPECT_EQ(painted.labels.at(30, 26), 0);
}

TEST(CellLabels, TheNearerCentreWins) {
  for (const bool turned : {false, true}) {
    std::vector<CellTrack> tracks{at(1, 20, 20, 8), at(2, 28, 20, 8)};
    if (turned) std::swap(tracks[0], tracks[1]);
    const Painted painted(tracks);
    EXPECT_EQ(painted.labels.at(23, 20), 1);
    EXPECT_EQ(painted.labels.at(25, 20), 2);
    EXPECT_EQ(painted.pixels.at(1) + painted.pixels.at(2) + painted.pixels.at(0), kWide * kHigh);
  }
}

// A small cell near the rim of a large one cuts off a piece behind itself, which is not kept.
TEST(CellLabels, PiecesWithoutACentreAreNotKept) {
  CellTrack flat = at(1, 20, 20, 9);  // a spindle from x = 2 to 38, at most 4 pixels high each way
  for (int j = 0; j < kCellDirections; ++j)
    flat.spots[0].outline[static_cast<std::size_t>(j)] = static_cast<float>(
        std::max(2.0, 18 * std::pow(std::cos(2 * M_PI * j / kCellDirections), 8)));
  const Painted alone({flat});
  EXPECT_EQ(alone.labels.at(36, 20), 1);
  const Painted both({flat, at(2, 29, 20, 6)});
  EXPECT_EQ(both.labels.at(36, 20), 0);
  EXPECT_EQ(both.labels.at(22, 20), 1);
  EXPECT_EQ(both.labels.at(32, 20), 2);
}

// The second of two cells at one place has no pixel left, and is given one.
TEST(CellLabels, EveryCellHasAPixel) {
  const Painted painted({at(1, 20, 20, 8), at(2, 20, 20, 8), at(3, 20, 20, 8)});
  EXPECT_EQ(painted.pixels.at(2), 1);
  EXPECT_EQ(painted.pixels.at(3), 1);
  EXPECT_GT(painted.pixels.at(1), 180);
  EXPECT_EQ(painted.labels.at(20, 20), 2);
  // Smaller than a pixel, between pixels, and cells outside the frame.
  const Painted tiny(
      {at(1, 10.5, 10.5, 0.1), at(2, -30, 500, 5), at(3, -30, 500, 5), at(4, std::nan(""), 3, 5)});
  for (const int id : {1, 2, 3, 4}) EXPECT_EQ(tiny.pixels.at(id), 1) << id;
  EXPECT_EQ(tiny.labels.at(0, kHigh - 1), 2);
}

TEST(CellLabels, AllPixelsCanBeGivenAway) {
  std::vector<CellTrack> tracks;
  for (int id = 1; id <= 6; ++id) tracks.push_back(at(id, 1, 1, 5));
  const Painted full(tracks, 3, 2);
  for (int id = 1; id <= 6; ++id) EXPECT_EQ(full.pixels.at(id), 1) << id;
  tracks.push_back(at(7, 1, 1, 5));
  EXPECT_THROW(Painted(tracks, 3, 2), Error);
}

TEST(CellLabels, EveryFrameIsPaintedFromScratch) {
  CellLabels painter(kWide, kHigh);
  const CellTrack track = at(1, 20, 20, 8);
  painter.paint({&track}, 5);
  EXPECT_EQ(painter.paint({}, 6).as<const std::uint16_t>().at(20, 20), 0);
}

}  // namespace
}  // namespace tessera::testing
