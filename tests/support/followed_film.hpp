// SPDX-License-Identifier: Apache-2.0
/// A small film that has been followed: what reports and overlays are made of.
#pragma once

#include <string>

#include "io/formats.hpp"
#include "jobs/cells/cells_result.hpp"
#include "jobs/cells/cells_summary.hpp"
#include "sample/random.hpp"
#include "tessera/image.hpp"

namespace tessera::testing {

/// Grey noise of one type in a file, one plane per frame.
inline void write_noise_film(const std::string& path, Size film, Type type = Type::u8) {
  Image image(film, type);
  Random random({7});
  for (long long i = 0; i < film.samples(); ++i) {
    const auto value = static_cast<unsigned char>(random.next() >> 58);  // 0 to 63
    if (type == Type::u8)
      image.as<unsigned char>().data[i] = static_cast<unsigned char>(value + 90);
    else
      image.as<unsigned short>().data[i] = static_cast<unsigned short>(10 * value + 2000);
  }
  write_image(path, image.view(), {.force = true});
}

/// A cell that goes straight on, and is not seen in its third frame.
inline CellTrack straight_track(int id, int first, int count, double x, double y, double speed) {
  CellTrack track{id, {}};
  for (int i = 0; i < count; ++i)
    track.spots.push_back({first + i, x + speed * i, y, 6, -2.5, i != 2});
  return track;
}

inline CellsFilmResult followed(const std::string& name, Size film, std::vector<CellTrack> tracks) {
  CellsFilmResult result;
  result.ran = "cells: a test";
  result.film = {name, "NPY", film.width, film.height, 0, film.planes};
  result.calibration.frame_rate_from = "given";
  result.tracks = std::move(tracks);
  summarise(result);
  return result;
}

}  // namespace tessera::testing
