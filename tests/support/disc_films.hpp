// SPDX-License-Identifier: Apache-2.0
/// Films of discs, whose places and radii are known, and what the tracker makes of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tessera/cells.hpp"

namespace tessera::testing {

/// A disc that moves, with a soft edge.
struct Disc {
  double x, y, radius, speed, height;
};

/// Discs on a dim ground of waves, which do not move.
inline Image film_of(Size frame, int frames, const std::vector<Disc>& discs) {
  Image film({frame.width, frame.height, 1, frames}, Type::u8);
  const auto planes = film.as<unsigned char>();
  for (int k = 0; k < frames; ++k)
    for (int y = 0; y < frame.height; ++y)
      for (int x = 0; x < frame.width; ++x) {
        double value = 90 + 4 * std::sin(x * 0.21 + y * 0.05) + 4 * std::sin(y * 0.17 - x * 0.03) +
                       (x * 7 + y * 13 + k * 5) % 5;
        for (const Disc& d : discs) {
          const double r = std::hypot(x - d.x - k * d.speed, y - d.y);
          if (r < d.radius + 6) value += d.height / (1 + std::exp(r - d.radius));
        }
        planes.at(x, y, 0, k) = static_cast<unsigned char>(std::clamp(value, 0.0, 255.0));
      }
  return film;
}

struct Followed {
  std::vector<CellTrack> tracks;
  std::vector<std::string> doubts;
  CellsOptions used;
  std::vector<double> sizes;
  CellsVerdict verdict;
};
inline Followed follow(const Image& film, const CellsOptions& options = {}, int threads = 0) {
  ImageInfo frame = film.info();
  frame.size.planes = 1;
  const Cells plan(frame, options);
  Stream stream(kHost, threads);
  CellsState state = plan.start();
  for (int k = 0; k < film.info().size.planes; ++k)
    plan.add(state, film.view().only_plane(k), stream);
  plan.finish(state, stream);
  return {plan.tracks(state), plan.doubts(state), plan.used_options(state), plan.sizes(state),
          plan.verdict(state)};
}

inline std::vector<Disc> rolling(int count) {
  std::vector<Disc> discs;
  for (int i = 0; i < count; ++i) discs.push_back({20.0 + 25 * i, 25.0 + 45 * i, 9, 1.5, 60});
  return discs;
}

}  // namespace tessera::testing
