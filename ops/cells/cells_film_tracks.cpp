// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/cells_film_tracks.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

namespace tessera {

namespace {

static_assert(kSnaxels == kCellDirections);

struct Life {
  CellTrack track;  ///< id 0: not yet long enough, or not confirmed
  bool confirmed = false;
  size_t until_seen = 0;
};

template <class Real>
void add_row(Life& life, const CellRow<Real>& row) {
  life.track.spots.push_back({row.frame, static_cast<double>(row.x), static_cast<double>(row.y),
                              static_cast<double>(row.radius), static_cast<double>(row.score),
                              row.seen});
  if (row.outlined) std::copy_n(row.radii, kSnaxels, life.track.spots.back().outline.begin());
  life.confirmed |= row.confirmed;
  if (row.seen) life.until_seen = life.track.spots.size();
}

}  // namespace

// Ids are given frame by frame, as tracks become long enough: rows of later frames never change
// them, so that a caller who asks while a film runs recognises the tracks.
template <class Real>
std::vector<CellTrack> tracks_of(const std::vector<CellRow<Real>>& rows, int min_frames) {
  std::map<int, Life> lives;  // numbers are given in order of birth
  std::set<int> of_frame;     // those that might get their ids
  int ids = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    add_row(lives[rows[i].track], rows[i]);
    of_frame.insert(rows[i].track);
    if (i + 1 < rows.size() && rows[i + 1].frame == rows[i].frame) continue;
    for (const int number : of_frame) {
      Life& life = lives[number];
      if (life.track.id == 0 && life.confirmed && static_cast<int>(life.until_seen) >= min_frames)
        life.track.id = ++ids;
    }
    of_frame.clear();
  }
  std::vector<CellTrack> tracks(static_cast<size_t>(ids));
  for (auto& [number, life] : lives) {
    if (life.track.id == 0) continue;
    life.track.spots.resize(life.until_seen);
    tracks[static_cast<size_t>(life.track.id) - 1] = std::move(life.track);
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
          static_cast<Real>(problem.radii.back()),
          problem.trial,
          static_cast<int>(std::ceil(kCells.trial_seen * problem.trial)),
          {problem.crop.x, problem.crop.y, problem.crop.width, problem.crop.height},
          problem.options.detect_every};
}

template std::vector<CellTrack> tracks_of(const std::vector<CellRow<float>>&, int);
template std::vector<CellTrack> tracks_of(const std::vector<CellRow<double>>&, int);
template LifeRules<float> life_rules(const CellsProblem&);
template LifeRules<double> life_rules(const CellsProblem&);

}  // namespace tessera
