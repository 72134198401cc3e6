// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_edits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tessera/error.hpp"

namespace tessera {
namespace {

/// The spots of a track by frame; gaps are filled when all edits are done.
using Spots = std::map<int, CellSpot>;

class Replay {
 public:
  Replay(const CellsFilm& film, const std::vector<CellTrack>& tracks) : film_(film) {
    for (const CellTrack& track : tracks) {
      for (const CellSpot& spot : track.spots) tracks_[track.id][spot.frame] = spot;
      next_id_ = std::max(next_id_, track.id + 1);
    }
  }

  void take(const CellsEdit& edit) {
    switch (edit.kind) {
      case CellsEditKind::split:
        return split(edit);
      case CellsEditKind::merge:
        return merge(edit);
      case CellsEditKind::remove:
        known(edit, edit.track);
        tracks_.erase(edit.track);
        return;
      case CellsEditKind::add:
        return add(edit);
    }
  }

  std::vector<CellTrack> tracks() const {
    std::vector<CellTrack> list;
    for (const auto& [id, spots] : tracks_) {
      CellTrack track{id};
      for (const auto& [frame, spot] : spots) track.spots.push_back(spot);
      bridge_gaps(track);
      list.push_back(std::move(track));
    }
    return list;
  }

  int next_id() const { return next_id_; }

 private:
  Spots& known(const CellsEdit& edit, int id) {
    const auto found = tracks_.find(id);
    if (found != tracks_.end()) return found->second;
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: there is no track {}; see TRACK_ID in tracks.csv", edit.place, id));
  }

  void split(const CellsEdit& edit) {
    Spots& track = known(edit, edit.track);
    const int first = track.begin()->first, last = track.rbegin()->first;
    if (edit.frame <= first || edit.frame > last)
      throw Error(
          ErrorKind::usage,
          fmt::format("{}: track {} has frames {} to {}; it can be split at frames {} to {}",
                      edit.place, edit.track, first, last, first + 1, last));
    Spots& rest = tracks_[next_id_++];
    for (auto spot = track.lower_bound(edit.frame); spot != track.end(); spot = track.erase(spot))
      rest.insert(*spot);
  }

  // If both have a spot in a frame, the first one's is kept.
  void merge(const CellsEdit& edit) {
    Spots& track = known(edit, edit.track);
    const Spots& other = known(edit, edit.other);
    track.insert(other.begin(), other.end());
    tracks_.erase(edit.other);
  }

  void add(const CellsEdit& edit) {
    const int first = film_.first_frame, last = first + film_.frames - 1;
    if (edit.frame < first || edit.frame > last)
      throw Error(ErrorKind::usage, fmt::format("{}: there is no frame {}; the film has {} to {}",
                                                edit.place, edit.frame, first, last));
    if (!is_in_frame(film_, edit.x, edit.y))
      throw Error(ErrorKind::usage,
                  fmt::format("{}: x {}, y {} is outside the frame; frames have {}x{} pixels, and "
                              "(0, 0) is the centre of the first",
                              edit.place, edit.x, edit.y, film_.width, film_.height));
    Spots& track = tracks_[edit.track];
    next_id_ = std::max(next_id_, edit.track + 1);
    CellSpot spot{edit.frame, edit.x, edit.y};
    spot.radius = edit.radius ? *edit.radius : nearest_radius(track, edit);
    track[edit.frame] = spot;
  }

  // A cell hardly changes its size.
  static double nearest_radius(const Spots& track, const CellsEdit& edit) {
    const int frame = edit.frame;
    if (track.empty()) edit.refuse("begins a track and has no RADIUS");
    const auto after = track.lower_bound(frame);
    if (after == track.end()) return track.rbegin()->second.radius;
    if (after == track.begin()) return after->second.radius;
    const auto before = std::prev(after);
    return (frame - before->first <= after->first - frame ? before : after)->second.radius;
  }

  const CellsFilm& film_;
  int next_id_ = 1;
  std::map<int, Spots> tracks_;
};

// The frames before this spot, after the last one, and the spot.
void bridge_to(const CellSpot& spot, std::vector<CellSpot>& spots) {
  if (!spots.empty()) {
    const CellSpot from = spots.back();
    for (int frame = from.frame + 1; frame < spot.frame; ++frame) {
      const double part = double(frame - from.frame) / (spot.frame - from.frame);
      spots.push_back({frame, std::lerp(from.x, spot.x, part), std::lerp(from.y, spot.y, part),
                       std::lerp(from.radius, spot.radius, part), 0, false});
    }
  }
  spots.push_back(spot);
}

}  // namespace

void bridge_gaps(CellTrack& track) {
  std::vector<CellSpot> spots;
  for (const CellSpot& spot : track.spots) bridge_to(spot, spots);
  track.spots = std::move(spots);
}

bool is_in_frame(const CellsFilm& film, double x, double y) {
  return x >= -0.5 && x <= film.width - 0.5 && y >= -0.5 && y <= film.height - 0.5;
}

int replay_edits(const std::vector<CellsEdit>& edits, const CellsFilm& film,
                 std::vector<CellTrack>& tracks) {
  Replay replay(film, tracks);
  for (const CellsEdit& edit : edits) replay.take(edit);
  if (!edits.empty()) tracks = replay.tracks();
  return replay.next_id();
}

}  // namespace tessera
