// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cell_pairs.hpp"

#include <cmath>
#include <map>

namespace tessera {
namespace {

/// A spot by the index of its track and its own index in it.
struct SpotPlace {
  int track, spot;
};
struct FrameSpots {
  std::vector<SpotPlace> truth, found;
};

template <class T>
const T& item(const std::vector<T>& list, int index) {
  return list[static_cast<std::size_t>(index)];
}
template <class T>
int count(const std::vector<T>& list) {
  return static_cast<int>(list.size());
}

const CellSpot& spot_at(const std::vector<CellTrack>& tracks, SpotPlace place) {
  return item(item(tracks, place.track).spots, place.spot);
}

std::map<int, FrameSpots> by_frames(const std::vector<CellTrack>& truth,
                                    const std::vector<CellTrack>& found) {
  std::map<int, FrameSpots> frames;
  const auto add = [&](const std::vector<CellTrack>& tracks,
                       std::vector<SpotPlace> FrameSpots::*list) {
    for (int track = 0; track < count(tracks); ++track)
      for (int spot = 0; spot < count(item(tracks, track).spots); ++spot)
        (frames[spot_at(tracks, {track, spot}).frame].*list).push_back({track, spot});
  };
  add(truth, &FrameSpots::truth);
  add(found, &FrameSpots::found);
  return frames;
}

double distance(const CellSpot& a, const CellSpot& b) { return std::hypot(a.x - b.x, a.y - b.y); }

}  // namespace

CellPairs::CellPairs(const Tracks& truth, const Tracks& result, double gate)
    : truth_(truth),
      found_(result),
      gate_(gate),
      meetings_(truth.size() * result.size()),
      partnered_(result.size()) {
  for (const CellTrack& track : truth) partners_.emplace_back(track.spots.size());
  meet();
  pair_tracks();
}

void CellPairs::meet() {
  for (const auto& [frame, spots] : by_frames(truth_, found_)) {
    AssignmentTable weights(count(spots.truth), count(spots.found));
    for (int i = 0; i < weights.rows(); ++i)
      for (int j = 0; j < weights.columns(); ++j) {
        const SpotPlace a = item(spots.truth, i), b = item(spots.found, j);
        const double apart = distance(spot_at(truth_, a), spot_at(found_, b));
        Meeting& meeting = meetings_[static_cast<std::size_t>(a.track) * found_.size() +
                                     static_cast<std::size_t>(b.track)];
        ++meeting.common;
        if (!(apart < gate_)) continue;
        ++meeting.near;
        meeting.gain += gate_ - apart;
        meeting.squares += apart * apart;
        weights.at(i, j) = gate_ - apart;
      }
    const std::vector<int> partner = best_assignment(weights);
    for (int i = 0; i < weights.rows(); ++i) {
      if (item(partner, i) < 0) continue;
      const SpotPlace a = item(spots.truth, i), b = item(spots.found, item(partner, i));
      partners_[static_cast<std::size_t>(a.track)][static_cast<std::size_t>(a.spot)] = {
          b.track, distance(spot_at(truth_, a), spot_at(found_, b))};
      ++partnered_[static_cast<std::size_t>(b.track)];
    }
  }
}

// A true track without a partner costs gate x its spots. A pair costs min(distance, gate) in common
// frames and the gate in all other frames of either track, so it saves the gains minus the gate for
// every frame that only the found track has.
void CellPairs::pair_tracks() {
  AssignmentTable savings(count(truth_), count(found_));
  for (int i = 0; i < savings.rows(); ++i)
    for (int j = 0; j < savings.columns(); ++j)
      savings.at(i, j) =
          meeting(i, j).gain - gate_ * (count(item(found_, j).spots) - meeting(i, j).common);
  track_pairs_ = best_assignment(savings);
  for (int i = 0; i < savings.rows(); ++i)
    if (item(track_pairs_, i) >= 0) saved_ += savings.at(i, item(track_pairs_, i));
}

std::vector<int> CellPairs::pairs_by_frames(int least) const {
  AssignmentTable frames(count(truth_), count(found_));
  for (int i = 0; i < frames.rows(); ++i) {
    const int spots = count(item(truth_, i).spots);
    for (int j = 0; j < frames.columns(); ++j)
      if (spots >= least && 2 * meeting(i, j).near >= spots) frames.at(i, j) = meeting(i, j).near;
  }
  return best_assignment(frames);
}

}  // namespace tessera
