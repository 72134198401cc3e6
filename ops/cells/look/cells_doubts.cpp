// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/look/cells_doubts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "ops/cells/cells_binned.hpp"
#include "ops/cells/cells_check.hpp"
#include "ops/cells/frames/cells_bins.hpp"
#include "ops/cells/look/cells_plain_frame.hpp"
#include "ops/cells/look/cells_sides.hpp"

namespace tessera {
namespace {

constexpr double kFaint = 0.7;  ///< mean score below which the frames hardly show a track
/// Shares that are doubts, chosen on the 120 films of docs/judging-cells.md.
constexpr double kManyMissed = 0.07, kManyFaint = 0.1, kManyPaired = 0.1, kManyBroken = 0.2,
                 kManyWeak = 0.04, kManyDoubled = 0.04;
/// A track is weak if its median score is below this share of the median track's, and below this
/// score, and it is this short or has outlines in fewer of its frames. Faint cells that are
/// followed for long have outlines, traces of tissue do not.
constexpr double kWeakShare = 0.6, kWeakScore = 2.5, kWeakOutlines = 0.6;
constexpr std::size_t kWeakFrames = 30;
/// A track lies on another if the centres are less than a radius apart in this share of its frames.
constexpr double kDoubledFrames = 0.3;
constexpr std::size_t kMostLooks = 16, kSizedLooks = 3;  ///< frames; other sizes take long
constexpr int kTogether = 3;  ///< frames within which tracks end together

/// The number of clear circles of the same radii in frames of another size.
int clear_at(const std::vector<Image>& frames, CellsOptions options, double threshold,
             Stream& stream) {
  if (frames.empty() || frames.front().info().size.empty()) return 0;
  options.crop = "auto";
  options.threshold = threshold;
  const CellsProblem problem = make_cells_problem(frames.front().info(), options);
  std::vector<AnyView> views;
  for (const Image& frame : frames) views.push_back(frame.view());
  int count = 0;
  for (const CellsCircles& circles : clear_circles_in(problem, views, stream))
    count += static_cast<int>(circles.size());
  return count;
}

bool is_followed(const CellDetection& find, const std::vector<CellTrack>& tracks, int frame) {
  return std::ranges::any_of(tracks, [&](const CellTrack& track) {
    const CellSpot* spot = spot_in(track, frame);
    return spot && std::hypot(spot->x - find.x, spot->y - find.y) < std::max(4.0, find.radius);
  });
}

/// Tracks that end together, well inside the frame and before the film does: the most in any few
/// frames.
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

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// The median score of a track without its sign; 0 if it was never seen.
double median_score(const CellTrack& track) {
  std::vector<double> scores;
  for (const CellSpot& spot : track.spots)
    if (spot.seen) scores.push_back(std::abs(spot.score));
  return scores.empty() ? 0 : median_of(std::move(scores));
}

bool is_short_or_shapeless(const CellTrack& track) {
  const auto outlined =
      static_cast<double>(std::ranges::count_if(track.spots, &CellSpot::has_outline));
  const std::size_t frames = track.spots.size();
  return frames <= kWeakFrames || outlined < kWeakOutlines * static_cast<double>(frames);
}

int weak_tracks(const std::vector<CellTrack>& tracks) {
  if (tracks.empty()) return 0;
  std::vector<double> scores;
  for (const CellTrack& track : tracks) scores.push_back(median_score(track));
  const double least = std::min(kWeakScore, kWeakShare * median_of(scores));
  int weak = 0;
  for (std::size_t k = 0; k < tracks.size(); ++k)
    weak += scores[k] < least && is_short_or_shapeless(tracks[k]) ? 1 : 0;
  return weak;
}

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

int doubled_tracks(const std::vector<CellTrack>& tracks) {
  return static_cast<int>(std::ranges::count_if(tracks, [&](const CellTrack& track) {
    return std::ranges::any_of(tracks,
                               [&](const CellTrack& other) { return lies_on(track, other); });
  }));
}

std::vector<CellTrack> binned_tracks(std::vector<CellTrack> tracks, CellsBins bins) {
  for (CellTrack& track : tracks)
    for (CellSpot& spot : track.spots) {
      spot.x = bins.binned(spot.x);
      spot.y = bins.binned(spot.y);
      spot.radius /= bins.factor;
    }
  return tracks;
}

/// Frames of a film that are looked at.
struct LookFrames {
  std::vector<int> numbers;
  std::vector<AnyView> frames;
};

LookFrames frames_of(const CellsSamples& samples, int film) {
  const std::vector<CellsSamples::Sample>& kept = samples.kept();
  const std::size_t step = std::max<std::size_t>(1, (kept.size() + kMostLooks - 1) / kMostLooks);
  LookFrames some;
  for (std::size_t k = 0; k < kept.size(); k += step) {
    some.numbers.push_back(kept[k].frame);
    some.frames.push_back(kept[k].planes.view().only_plane(film));
  }
  return some;
}

void look_at_circles(const CellsProblem& problem, const LookFrames& some,
                     const std::vector<CellTrack>& tracks, Stream& stream, CellsSecondLook& look) {
  const std::vector<CellsCircles> found = clear_circles_in(problem, some.frames, stream);
  const std::size_t sized_step = std::max<std::size_t>(1, found.size() / kSizedLooks);
  std::vector<Image> halves, quarters, doubles;
  for (std::size_t k = 0; k < found.size(); ++k) {
    const int circles = static_cast<int>(found[k].size());
    ++look.frames;
    look.clear += circles;
    for (const CellDetection& find : found[k])
      look.missed += is_followed(find, tracks, some.numbers[k]) ? 0 : 1;
    if (k % sized_step != 0) continue;
    ++look.sized_frames;
    look.own_size += circles;
    halves.push_back(binned(some.frames[k], {2}));
    quarters.push_back(binned(some.frames[k], {4}));
    doubles.push_back(doubled(some.frames[k]));
  }
  const auto clear = [&](const std::vector<Image>& frames) {
    return clear_at(frames, problem.options, problem.threshold, stream);
  };
  look.large = clear(halves) + clear(quarters);
  look.small = clear(doubles);
}

void look_at_tracks(const CellsProblem& problem, const LookFrames& some,
                    const std::vector<CellTrack>& tracks, CellsSecondLook& look) {
  Stream host(kHost);
  std::map<int, std::pair<double, int>> shown;  // of tracks: sum of scores, and frames
  for (std::size_t k = 0; k < some.frames.size(); ++k) {
    const PlainFrame plain(problem, some.frames[k], host);
    for (const CellTrack& track : tracks)
      if (const CellSpot* spot = spot_in(track, some.numbers[k]); spot && spot->seen) {
        auto& [sum, count] = shown[track.id];
        sum += plain.score_of(*spot);
        ++count;
      }
  }
  look.tracks = static_cast<int>(shown.size());
  for (const CellTrack& track : tracks)
    if (const auto found = shown.find(track.id); found != shown.end()) {
      const auto& [sum, count] = found->second;
      look.faint += sum / count < kFaint && is_short_or_shapeless(track) ? 1 : 0;
    }
}

}  // namespace

CellsSecondLook second_look(const CellsProblem& film_problem, const CellsSamples& samples, int film,
                            const std::vector<CellTrack>& tracks, Stream& stream) {
  if (const CellsBins bins = bins_of(film_problem); bins.factor > 1)
    return second_look(binned_problem(film_problem, bins),
                       samples.each([&](AnyView frames) { return binned(frames, bins); }), film,
                       binned_tracks(tracks, bins), stream);
  CellsProblem problem = film_problem;
  problem.threshold = problem.threshold_alone;
  CellsSecondLook look;
  look_at_circles(problem, frames_of(samples, film), tracks, stream, look);
  look_at_tracks(problem, frames_of(samples, film), tracks, look);
  look.followed = static_cast<int>(tracks.size());
  look.weak = weak_tracks(tracks);
  std::vector<CellTrack> whole = tracks;
  merge_sides(whole);
  look.doubled = doubled_tracks(whole);
  look.paired = tracks_in_pairs(whole);
  look.broken = tracks_that_end_together(tracks, problem.frame.size, samples.offered());
  return look;
}

std::string why_no_tracks(const CellsProblem& problem, const CellsLives& lives) {
  const CellsOptions& o = problem.options;
  if (lives.begun == 0)
    return fmt::format(
        "the search found no circle: nowhere is a score above {} with radii of {} to {} pixels; "
        "try a smaller threshold, or other values of min-radius and max-radius",
        problem.threshold, *o.min_radius, *o.max_radius);
  if (lives.confirmed == 0)
    return fmt::format(
        "the search found {} circle{}, but the trial dropped {}: none was seen in {} of the {} "
        "frames "
        "that follow; try a smaller threshold, or flow and speed if cells are fast",
        lives.begun, lives.begun == 1 ? "" : "s", lives.begun == 1 ? "it" : "all",
        static_cast<int>(std::ceil(kCells.trial_seen * problem.trial)), problem.trial);
  return fmt::format("{} cell{} followed, each for fewer than {} frames; try a smaller min-frames",
                     lives.confirmed, lives.confirmed == 1 ? " was" : "s were", *o.min_frames);
}

std::vector<std::string> doubts_of(const CellsSecondLook& look, const CellsOptions& options) {
  std::vector<std::string> doubts;
  const auto some = [&](int count) { return 2 * count >= look.frames && count > 0; };
  const auto share = [](int part, int all) { return part / std::max(1.0, 1.0 * all); };
  const bool other_size = look.large > 2 * look.own_size || look.small > 1.1 * look.own_size;
  if (look.missed > 0 && some(look.missed) && share(look.missed, look.clear) > kManyMissed)
    doubts.push_back(fmt::format(
        "{} of {} round objects that are clear in single frames have no track: cells that stand "
        "still look like tissue; with background none both are followed",
        look.missed, look.clear));
  if (other_size && look.large > look.small && look.large >= look.sized_frames)
    doubts.push_back(
        fmt::format("most round objects are larger than the {} to {} pixels of radius "
                    "that were searched; give larger min-radius and max-radius, or "
                    "make the frames smaller",
                    *options.min_radius, *options.max_radius));
  if (other_size && look.small >= look.large && look.small >= look.sized_frames)
    doubts.push_back(
        fmt::format("most round objects are smaller than the {} to {} pixels of radius "
                    "that were searched: small cells, or parts of cells; give other "
                    "values of min-radius and max-radius",
                    *options.min_radius, *options.max_radius));
  if (look.faint > 1 && share(look.faint, look.tracks) > kManyFaint)
    doubts.push_back(fmt::format(
        "{} of {} tracks are hardly visible in single frames: they may be traces of tissue that "
        "moves; a larger threshold keeps the clear ones",
        look.faint, look.tracks));
  if (share(look.weak, look.followed) > kManyWeak)
    doubts.push_back(fmt::format(
        "{} of {} tracks {} far below the others and {} short or without a clear outline: {} may "
        "not be {}; a larger threshold keeps the strong ones",
        look.weak, look.followed, look.weak == 1 ? "scores" : "score",
        look.weak == 1 ? "is" : "are", look.weak == 1 ? "it" : "they",
        look.weak == 1 ? "a cell" : "cells"));
  if (share(look.doubled, look.followed) > kManyDoubled)
    doubts.push_back(fmt::format(
        "{} of {} tracks {} on another for much of the time: one cell may be counted twice; larger "
        "values of min-radius, or a larger threshold, leave one of them",
        look.doubled, look.followed, look.doubled == 1 ? "lies" : "lie"));
  if (look.paired > 1 && share(look.paired, look.tracks) > kManyPaired)
    doubts.push_back(
        fmt::format("{} of {} tracks go in pairs, one bright and one dark: two sides of one cell "
                    "may be counted "
                    "as two; polarity bright or dark follows one side",
                    look.paired, look.tracks));
  if (look.broken > 2 && share(look.broken, look.tracks) > kManyBroken)
    doubts.push_back(fmt::format(
        "{} tracks end at the same time, and others begin: the whole picture may jump, and one "
        "cell "
        "may have several tracks; first-frame and frames choose a part without the jump",
        look.broken));
  return doubts;
}

}  // namespace tessera
