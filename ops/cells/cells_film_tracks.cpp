// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/cells_film_tracks.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace tessera {

template <class Real>
std::vector<CellTrack> tracks_of(const std::vector<CellRow<Real>>& rows, int min_frames) {
  struct Life {
    CellTrack track;
    bool confirmed = false;
    size_t until_seen = 0;
  };
  std::map<int, Life> lives;  // numbers are given in order of birth
  for (const CellRow<Real>& row : rows) {
    Life& life = lives[row.track];
    life.track.spots.push_back({row.frame, static_cast<double>(row.x), static_cast<double>(row.y),
                                static_cast<double>(row.radius), static_cast<double>(row.score),
                                row.seen});
    life.confirmed |= row.confirmed;
    if (row.seen) life.until_seen = life.track.spots.size();
  }
  std::vector<CellTrack> tracks;
  for (auto& [number, life] : lives) {
    life.track.spots.resize(life.until_seen);
    if (!life.confirmed || static_cast<int>(life.until_seen) < min_frames) continue;
    life.track.id = static_cast<int>(tracks.size()) + 1;
    tracks.push_back(std::move(life.track));
  }
  return tracks;
}

template <class Real>
LifeRules<Real> life_rules(const CellsProblem& problem) {
  const double angle = problem.options.flow.value_or(0) * std::numbers::pi / 180;
  return {problem.frame.size.width,
          problem.frame.size.height,
          problem.options.gap,
          static_cast<Real>(problem.options.speed * std::cos(angle)),
          static_cast<Real>(problem.options.speed * std::sin(angle)),
          static_cast<Real>(problem.radii.front() - 1),
          static_cast<Real>(problem.radii.back())};
}

template std::vector<CellTrack> tracks_of(const std::vector<CellRow<float>>&, int);
template std::vector<CellTrack> tracks_of(const std::vector<CellRow<double>>&, int);
template LifeRules<float> life_rules(const CellsProblem&);
template LifeRules<double> life_rules(const CellsProblem&);

}  // namespace tessera
