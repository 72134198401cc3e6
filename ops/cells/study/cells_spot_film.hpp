// SPDX-License-Identifier: Apache-2.0
/// A film of 36 cells with its truth, for benchmarks and reports.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "sample/cell_film.hpp"
#include "tessera/cells.hpp"

namespace tessera {

inline constexpr Size kSpotFrame{640, 480};
inline constexpr int kSpotCells = 36;

struct SpotFilm {
  Image frames;  ///< u8, one frame per plane
  std::vector<CellTrack> truth;

  AnyView frame(int k) const { return frames.view().only_plane(k); }
  int count() const { return frames.info().size.planes; }
};

/// All cells stay from the first frame to the last, or nearly: 36 of them are timed.
inline SpotFilm spot_film(int frames) {
  CellFilmOptions options{.preset = CellFilmPreset::easy, .frames = frames, .cells = kSpotCells};
  options.speed_low = 0.5;
  options.speed_high = 1.5;
  options.crossings = options.entries = options.exits = 0;
  CellFilm source(kSpotFrame, 1, Type::u8, options);
  SpotFilm film{Image(source.info()), source.truth().tracks()};
  source.read({0, kSpotFrame.height}, film.frames.view());
  return film;
}

/// A fast wrong answer is not a result: most cells of the last frame must be found where they are.
/// The product's own tests are stricter.
inline std::string lost_cells(const SpotFilm& film, const std::vector<CellTrack>& tracks) {
  constexpr double kShare = 0.75, kNear = 3;
  const auto is_followed = [&](const CellSpot& spot) {
    for (const CellTrack& track : tracks)
      if (const CellSpot& last = track.spots.back();
          last.frame == spot.frame && std::hypot(spot.x - last.x, spot.y - last.y) <= kNear)
        return true;
    return false;
  };
  int there = 0, found = 0;
  for (const CellTrack& cell : film.truth)
    for (const CellSpot& spot : cell.spots)
      if (spot.frame == film.count() - 1) {
        ++there;
        found += is_followed(spot);
      }
  if (found >= kShare * there) return "";
  return "finds " + std::to_string(found) + " of " + std::to_string(there) + " cells";
}

}  // namespace tessera
