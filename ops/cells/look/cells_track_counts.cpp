// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/look/cells_track_counts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "ops/cells/cells_model.cuh"
#include "ops/cells/look/cells_sides.hpp"

namespace tessera {
namespace {

/// A track is weak if its median score is below this share of the median track's, and below this
/// score, and it is this short or has outlines in fewer of its frames. Faint cells that are
/// followed for long have outlines, traces of tissue do not.
constexpr double kWeakShare = 0.6, kWeakScore = 2.5, kWeakOutlines = 0.6;
constexpr std::size_t kWeakFrames = 30;
/// The same if no scene is subtracted: of the tracks of tissue in films of 2 to 10 frames (seeds 1
/// to 5 of docs/judging-cells.md) all were below both, and of their cells inside the frame none.
constexpr double kWeakShareAlone = 0.65, kWeakAlone = 2.8;
/// A track lies on another if the centres are less than a radius apart in this share of its frames.
constexpr double kDoubledFrames = 0.3;
/// Cells that come in are found a detection later, and up to this many pixels from where circles
/// fit; those that leave may be lost this many frames before.
constexpr double kEntryPixels = 8;
constexpr int kFoundFrames = 2, kLeavingFrames = 6;
/// A fleeting track has at most this many frames, and at most half of the film. Velocities at its
/// ends are those of this many.
constexpr int kFleetingFrames = 45, kVelocityFrames = 15;
/// An odd track has more frames than this, and a stretch above the median track's by this many
/// usual deviations, and by this much.
constexpr std::size_t kOddFrames = 30;
constexpr double kOddDeviations = 3, kOddStretch = 0.13;
constexpr int kLoneAmong = 8;  ///< tracks, of which one at most has the other sign
constexpr int kTogether = 3;   ///< frames within which tracks end together

/// Whether the track lies on a longer one, or on an earlier one of the same length.
bool lies_on(const CellTrack& track, const CellTrack& other) {
  const std::size_t frames = track.spots.size(), others = other.spots.size();
  if (others < frames || (others == frames && other.id >= track.id)) return false;
  // The other is at least as long: if they have a frame in common, it has one of the track's ends.
  if (!spot_in(other, track.spots.front().frame) && !spot_in(other, track.spots.back().frame))
    return false;
  std::size_t near = 0;
  for (const CellSpot& spot : track.spots) {
    const CellSpot* there = spot_in(other, spot.frame);
    near += there && std::hypot(spot.x - there->x, spot.y - there->y) <
                         std::max(spot.radius, there->radius)
                ? 1
                : 0;
  }
  return static_cast<double>(near) >= kDoubledFrames * static_cast<double>(frames);
}

struct TrackPlace {
  double x, y;
};

/// Where a cell would be `frames` after an end of its track, or before it if they are negative.
TrackPlace place_beyond(const std::vector<CellSpot>& spots, int frames) {
  const std::size_t some = std::min<std::size_t>(kVelocityFrames, spots.size());
  const CellSpot& from = frames < 0 ? spots.front() : spots[spots.size() - some];
  const CellSpot& to = frames < 0 ? spots[some - 1] : spots.back();
  const double share = frames / std::max(1.0, static_cast<double>(some - 1));
  const CellSpot& end = frames < 0 ? from : to;
  return {end.x + share * (to.x - from.x), end.y + share * (to.y - from.y)};
}

bool lies_inside(TrackPlace place, CellsCrop area, double margin) {
  return place.x > area.x + margin && place.y > area.y + margin &&
         place.x < area.x + area.width - 1 - margin && place.y < area.y + area.height - 1 - margin;
}

/// Frames from one search of a place to the next.
int frames_between_searches(const CellsProblem& problem) {
  const int every = problem.options.detect_every;
  return problem.entry == problem.crop ? every : every * kCells.whole_every;
}

bool begins_inside(const CellTrack& track, const CellsProblem& problem) {
  return track.spots.front().frame > 0 &&
         lies_inside(place_beyond(track.spots, -frames_between_searches(problem) - kFoundFrames),
                     problem.crop, *problem.options.max_radius + kEntryPixels);
}

bool ends_inside(const CellTrack& track, const CellsProblem& problem, int frames) {
  const Size size = problem.frame.size;
  return track.spots.back().frame < frames - 1 &&
         lies_inside(place_beyond(track.spots, kLeavingFrames), {0, 0, size.width, size.height},
                     *problem.options.max_radius);
}

/// The length of an outline relative to its width: that of its wave with two periods.
double stretch_of(const CellSpot& spot) {
  double mean = 0, cosine = 0, sine = 0;
  for (std::size_t j = 0; j < spot.outline.size(); ++j) {
    const double angle = 4 * std::numbers::pi * static_cast<double>(j) / kCellDirections;
    mean += spot.outline[j] / kCellDirections;
    cosine += 2 * spot.outline[j] * std::cos(angle) / kCellDirections;
    sine += 2 * spot.outline[j] * std::sin(angle) / kCellDirections;
  }
  const double wave = std::hypot(cosine, sine);
  return (mean + wave) / (mean - wave);
}

/// Whether the frame's edge cuts it in most of its frames, or nearly so.
bool is_at_edge(const CellTrack& track, Size frame) {
  std::vector<double> room;
  for (const CellSpot& spot : track.spots)
    room.push_back(std::min({spot.x, spot.y, frame.width - 1 - spot.x, frame.height - 1 - spot.y}) -
                   spot.radius);
  return median_of(std::move(room)) < kCells.edge;
}

}  // namespace

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

double median_score(const CellTrack& track) {
  std::vector<double> scores;
  for (const CellSpot& spot : track.spots)
    if (spot.seen) scores.push_back(std::abs(spot.score));
  return scores.empty() ? 0 : median_of(std::move(scores));
}

std::optional<double> median_stretch(const CellTrack& track) {
  std::vector<double> stretches;
  for (const CellSpot& spot : track.spots)
    if (spot.has_outline()) stretches.push_back(stretch_of(spot));
  if (track.spots.size() <= kOddFrames || stretches.empty()) return std::nullopt;
  return median_of(std::move(stretches));
}

bool is_short_or_shapeless(const CellTrack& track) {
  const auto outlined =
      static_cast<double>(std::ranges::count_if(track.spots, &CellSpot::has_outline));
  const std::size_t frames = track.spots.size();
  return frames <= kWeakFrames || outlined < kWeakOutlines * static_cast<double>(frames);
}

int weak_tracks(const std::vector<CellTrack>& tracks, Size frame, bool has_scene) {
  if (tracks.empty()) return 0;
  std::vector<double> scores;
  for (const CellTrack& track : tracks) scores.push_back(median_score(track));
  const double usual = median_of(scores);
  const double least = has_scene ? std::min(kWeakScore, kWeakShare * usual)
                                 : std::min(kWeakAlone, kWeakShareAlone * usual);
  int weak = 0;
  for (std::size_t k = 0; k < tracks.size(); ++k)
    weak += scores[k] < least && is_short_or_shapeless(tracks[k]) && !is_at_edge(tracks[k], frame)
                ? 1
                : 0;
  return weak;
}

int doubled_tracks(const std::vector<CellTrack>& tracks) {
  return static_cast<int>(std::ranges::count_if(tracks, [&](const CellTrack& track) {
    return std::ranges::any_of(tracks,
                               [&](const CellTrack& other) { return lies_on(track, other); });
  }));
}

int fleeting_tracks(const std::vector<CellTrack>& tracks, const CellsProblem& problem, int frames) {
  const int most = std::min(kFleetingFrames, frames / 2);
  return static_cast<int>(std::ranges::count_if(tracks, [&](const CellTrack& track) {
    return static_cast<int>(track.spots.size()) <= most &&
           (begins_inside(track, problem) || ends_inside(track, problem, frames));
  }));
}

int odd_tracks(const std::vector<CellTrack>& tracks) {
  std::vector<double> stretches, deviations;
  for (const CellTrack& track : tracks)
    if (const auto stretch = median_stretch(track)) stretches.push_back(*stretch);
  if (stretches.empty()) return 0;
  const double usual = median_of(stretches);
  for (const double stretch : stretches) deviations.push_back(std::abs(stretch - usual));
  // 1.48: the median deviation of a normal distribution is its standard deviation / 1.48.
  const double most = usual + std::max(kOddStretch, kOddDeviations * 1.48 * median_of(deviations));
  return static_cast<int>(
      std::ranges::count_if(stretches, [&](double stretch) { return stretch > most; }));
}

LoneTracks lone_tracks(const std::vector<CellTrack>& tracks) {
  // Scores are negative where cells are bright; a track keeps its sign.
  const auto dark = std::ranges::count_if(
      tracks, [](const CellTrack& track) { return track.spots.front().score > 0; });
  const auto all = std::ssize(tracks), fewer = std::min(dark, all - dark);
  if (kLoneAmong * fewer > all) return {};
  return {static_cast<int>(fewer), 2 * dark <= all};
}

int tracks_that_end_together(const std::vector<CellTrack>& tracks, Size frame, int frames) {
  std::vector<int> ends;
  for (const CellTrack& track : tracks) {
    const CellSpot& last = track.spots.back();
    const double margin = 2 * last.radius + 4;
    if (last.frame < frames - 1 - kTogether && last.x > margin && last.y > margin &&
        last.x < frame.width - margin && last.y < frame.height - margin)
      ends.push_back(last.frame);
  }
  int most = 0;
  for (const int end : ends)
    most = std::max(most, static_cast<int>(std::ranges::count_if(ends, [&](int other) {
                      return other >= end && other < end + kTogether;
                    })));
  return most;
}

}  // namespace tessera
