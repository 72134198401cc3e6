// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/trackmate_corrections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/counted.hpp"
#include "jobs/cells/cells_edits.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Files have nine digits; nobody moves a spot by less, in pixels.
constexpr double kUnmoved = 1e-3;

/// The spots that were found, by place.
class FoundSpots {
 public:
  explicit FoundSpots(const std::vector<CellTrack>& tracks) {
    for (const CellTrack& track : tracks)
      for (const CellSpot& spot : track.spots) frames_[spot.frame].push_back(spot);
    for (auto& [frame, spots] : frames_) std::ranges::sort(spots, {}, &CellSpot::x);
  }

  /// The spot at the same place, with the corrected radius; nothing if the spot was moved or added.
  std::optional<CellSpot> at_place_of(const CellSpot& corrected) const {
    const auto frame = frames_.find(corrected.frame);
    if (frame == frames_.end()) return {};
    auto spot = std::ranges::lower_bound(frame->second, corrected.x - kUnmoved, {}, &CellSpot::x);
    for (; spot != frame->second.end() && spot->x <= corrected.x + kUnmoved; ++spot) {
      if (std::abs(spot->y - corrected.y) > kUnmoved) continue;
      CellSpot found = *spot;
      if (std::abs(spot->radius - corrected.radius) > kUnmoved) found.radius = corrected.radius;
      return found;
    }
    return {};
  }

 private:
  std::map<int, std::vector<CellSpot>> frames_;
};

bool are_equal(const CellTrack& a, const CellTrack& b) {
  return std::ranges::equal(a.spots, b.spots, [](const CellSpot& one, const CellSpot& other) {
    return one.frame == other.frame && one.x == other.x && one.y == other.y &&
           one.radius == other.radius;
  });
}

[[noreturn]] void refuse_file(const TrackMateTracks& corrected, const std::string& what) {
  throw Error(ErrorKind::input, corrected.name + ": " + what);
}

void check_film(const TrackMateTracks& corrected, const CellsFilm& film) {
  if (corrected.tracks.empty())
    refuse_file(corrected, fmt::format("it has no tracks ({} without links); it must have the "
                                       "corrected tracks of {}",
                                       counted(corrected.loose, "spot"), film.name));
  if (corrected.width > 0 && corrected.height > 0 &&
      (corrected.width != film.width || corrected.height != film.height))
    refuse_file(corrected,
                fmt::format("it is about a film of {}x{} pixels; {} has {}x{}", corrected.width,
                            corrected.height, film.name, film.width, film.height));
}

// A spot that was found may be bridged to a place outside the frame; one that was set may not.
void check_spot(const TrackMateTracks& corrected, const CellTrack& track, const CellSpot& spot,
                bool was_found, const CellsFilm& film) {
  const int last = film.first_frame + film.frames - 1;
  if (spot.frame < film.first_frame || spot.frame > last)
    refuse_file(corrected,
                fmt::format("track {} has a spot in frame {}; the film was read from frame "
                            "{} to {}",
                            track.id, spot.frame, film.first_frame, last));
  if (!was_found && !is_in_frame(film, spot.x, spot.y))
    refuse_file(corrected,
                fmt::format("track {} is at x {:.6g}, y {:.6g} pixels in frame {}; the "
                            "film's frames have {}x{}",
                            track.id, spot.x, spot.y, spot.frame, film.width, film.height));
  if (!(spot.radius > 0))
    refuse_file(corrected, fmt::format("track {} has RADIUS {} in frame {}; it must be more than 0",
                                       track.id, spot.radius, spot.frame));
}

struct Differences {
  int added = 0, gone = 0, changed = 0;
  int all() const { return added + gone + changed; }
};

Differences differences(const std::vector<CellTrack>& found, const std::vector<CellTrack>& now) {
  std::map<int, const CellTrack*> before;
  for (const CellTrack& track : found) before[track.id] = &track;
  Differences differ;
  for (const CellTrack& track : now) {
    const auto old = before.find(track.id);
    if (old == before.end()) {
      ++differ.added;
      continue;
    }
    differ.changed += !are_equal(*old->second, track);
    before.erase(old);
  }
  differ.gone = static_cast<int>(before.size());
  return differ;
}

std::string note_of(const TrackMateTracks& corrected, const Differences& differ) {
  std::string note = corrected.name + ": ";
  note += differ.all() == 0 ? "its tracks are those that were found"
                            : fmt::format("tracks are as in this file: {} changed, {} new, {} gone",
                                          differ.changed, differ.added, differ.gone);
  if (corrected.loose > 0)
    note += fmt::format("; spots without links, which are in no track: {}", corrected.loose);
  return note;
}

}  // namespace

void take_corrected_tracks(const TrackMateTracks& corrected, CellsFilmResult& result) {
  check_film(corrected, result.film);
  const FoundSpots found(result.tracks);
  std::vector<CellTrack> tracks = corrected.tracks;
  for (CellTrack& track : tracks) {
    for (CellSpot& spot : track.spots) {
      const std::optional<CellSpot> unmoved = found.at_place_of(spot);
      if (unmoved) spot = *unmoved;
      check_spot(corrected, track, spot, unmoved.has_value(), result.film);
    }
    bridge_gaps(track);
  }
  const Differences differ = differences(result.tracks, tracks);
  result.tracks = std::move(tracks);
  result.edits = differ.all();
  result.notes.push_back(note_of(corrected, differ));
}

}  // namespace tessera
