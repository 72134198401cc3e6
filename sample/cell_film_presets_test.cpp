// SPDX-License-Identifier: Apache-2.0
// Films with one difficulty each: what is new in them, measured from truth and pixels.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sample/cell_film.hpp"

namespace tessera {
namespace {

constexpr Size kPresetFrame{640, 480};
constexpr CellFilmParts kOnlyGround{true, false, false}, kOnlyCells{false, true, false};

CellFilm preset_film(CellFilmPreset preset, std::uint64_t seed = 1, CellFilmParts parts = {}) {
  return {kPresetFrame, seed, Type::f32, {.preset = preset}, 0, parts};
}

Image preset_frame(const CellFilm& film, int number) {
  Image image(kPresetFrame, Type::f32);
  film.read_frame(number, {0, kPresetFrame.height}, image.view());
  return image;
}

double mean_sample(const Image& image) {
  double sum = 0;
  for (int y = 0; y < kPresetFrame.height; ++y)
    for (int x = 0; x < kPresetFrame.width; ++x) sum += image.view().as<const float>().at(x, y);
  return sum / static_cast<double>(kPresetFrame.pixels());
}

/// Pixels that a cell moves relative to the scene between two frames.
double way_of(const CellTrack& track, const CellFilm& film, int from, int to) {
  const auto at = [&](int frame) {
    const CellSpot& spot = track.spots[static_cast<size_t>(frame - track.spots.front().frame)];
    const Place drift = film.drift(frame);
    return Place{spot.x - drift.x, spot.y - drift.y};
  };
  return std::hypot(at(to).x - at(from).x, at(to).y - at(from).y);
}

bool is_seen(const CellTrack& track, int frame) {
  return track.spots.front().frame <= frame && frame <= track.spots.back().frame;
}

TEST(CellFilmPresets, EveryOneHasItsCells) {
  for (const auto& [name, preset] : Names<CellFilmPreset>::list)
    for (const std::uint64_t seed : {1, 2, 3}) {
      const CellFilmOptions options = filled({.preset = preset});
      const CellVessel vessel(kPresetFrame, seed, options);
      EXPECT_EQ(static_cast<int>(roll_cells(kPresetFrame, seed, options, vessel).cells.size()),
                *options.cells)
          << name;
    }
}

TEST(CellFilmPresets, AdherentCellsNeverMove) {
  const CellFilm film = preset_film(CellFilmPreset::adherent);
  const int last = *film.options().frames - 1;
  int standing = 0;
  for (const CellTrack& track : film.truth().tracks())
    standing += is_seen(track, 0) && is_seen(track, last) && way_of(track, film, 0, last) < 1e-9;
  EXPECT_EQ(standing, 8);
}

TEST(CellFilmPresets, ArrestedCellsStopForGood) {
  const CellFilm film = preset_film(CellFilmPreset::arrest);
  const int frames = *film.options().frames;
  int stopped = 0;
  for (const CellTrack& track : film.truth().tracks()) {
    const int quarter = 3 * frames / 4;
    if (!is_seen(track, quarter) || !is_seen(track, frames - 1)) continue;
    if (way_of(track, film, quarter, frames - 1) > 1e-9) continue;
    EXPECT_GT(way_of(track, film, track.spots.front().frame, quarter), 1);
    ++stopped;
  }
  EXPECT_EQ(stopped, 8);
}

TEST(CellFilmPresets, TheWholeFrameJumpsOnce) {
  const CellFilm film = preset_film(CellFilmPreset::shift);
  for (int frame = 1; frame < *film.options().frames; ++frame) {
    const Place before = film.drift(frame - 1), after = film.drift(frame);
    const double way = std::hypot(after.x - before.x, after.y - before.y);
    EXPECT_NEAR(way, frame == *film.options().frames / 2 ? 12 : 0.05, 0.06) << frame;
  }
}

TEST(CellFilmPresets, TextureSwaysMoreInItsLastRows) {
  const CellVessel vessel(kPresetFrame, 1, filled({.preset = CellFilmPreset::texture}));
  double first = 0, last = 0;
  for (int frame = 0; frame < 45; ++frame) {
    const Place none =
        CellVessel(kPresetFrame, 1, filled({.preset = CellFilmPreset::texture, .sway = 0}))
            .drift(frame);
    const Place top = vessel.drift(frame, 0), bottom = vessel.drift(frame, kPresetFrame.height);
    first = std::max(first, std::hypot(top.x - none.x, top.y - none.y));
    last = std::max(last, std::hypot(bottom.x - none.x, bottom.y - none.y));
  }
  EXPECT_NEAR(first, 1.5, 0.01);
  EXPECT_NEAR(last, 4.5, 0.02);
}

TEST(CellFilmPresets, LightFlickersByAFifth) {
  const CellFilm film = preset_film(CellFilmPreset::flicker, 1, kOnlyGround);
  std::vector<double> means;
  for (int frame = 0; frame < 40; ++frame) means.push_back(mean_sample(preset_frame(film, frame)));
  const double usual =
      mean_sample(preset_frame(preset_film(CellFilmPreset::standard, 1, kOnlyGround), 0));
  EXPECT_LT(*std::ranges::min_element(means), 0.85 * usual);
  EXPECT_GT(*std::ranges::max_element(means), 1.15 * usual);
  for (const double mean : means) EXPECT_NEAR(mean, usual, 0.21 * usual);
}

TEST(CellFilmPresets, ACellInDicIsLightOnOneSideAndDarkOnTheOther) {
  const CellFilm film = preset_film(CellFilmPreset::dic, 1, kOnlyCells);
  const Image image = preset_frame(film, 0);
  int checked = 0;
  for (const FilmCell& cell : film.truth().cells) {
    const CellSpot& spot = cell.track.spots.front();
    if (spot.frame != 0 || spot.x < 30 || spot.x > 610) continue;
    const auto at = [&](double part) {
      const double step = part * spot.radius / std::sqrt(2.0);
      return image.view().as<const float>().at(static_cast<int>(std::lround(spot.x + step)),
                                               static_cast<int>(std::lround(spot.y - step)));
    };
    EXPECT_GT(at(0.6), 0.8 * cell.contrast);
    EXPECT_LT(at(-0.6), 0.0);
    ++checked;
  }
  EXPECT_GT(checked, 3);
}

}  // namespace
}  // namespace tessera
