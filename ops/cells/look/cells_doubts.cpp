// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/look/cells_doubts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "core/counted.hpp"
#include "ops/cells/cells_binned.hpp"
#include "ops/cells/cells_check.hpp"
#include "ops/cells/frames/cells_bins.hpp"
#include "ops/cells/look/cells_plain_frame.hpp"
#include "ops/cells/look/cells_sides.hpp"
#include "ops/cells/look/cells_standing_tracks.hpp"
#include "ops/cells/look/cells_track_counts.hpp"

namespace tessera {
namespace {

constexpr double kFaint = 0.7;  ///< mean score below which the frames hardly show a track
/// Shares that are doubts, chosen on films of docs/judging-cells.md.
constexpr double kManyMissed = 0.07, kManyFaint = 0.1, kManyPaired = 0.1, kManyBroken = 0.2,
                 kManyWeak = 0.04, kManyDoubled = 0.04, kManyFleeting = 0.05, kManyOdd = 0.05,
                 kManyLone = 0.05, kManyTissue = 0.05, kManyResumed = 0.05;
/// Objects that stand still without a track are as clear as the cells that are followed if they
/// have this share of the median score that these have in single frames, and at least this score
/// (texture has less); at least this many such circles must be known.
constexpr double kAsClearShare = 0.8, kLeastAsClear = 2.0, kManyStanding = 0.2;
constexpr std::size_t kKnownCircles = 8;
constexpr std::size_t kMostLooks = 16, kSizedLooks = 3;  ///< frames; other sizes take long

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

/// A circle of one of the frames that are looked at.
struct LookedCircle {
  CellDetection find;
  std::size_t look;
  bool followed;
};

/// Whether something is at the same place in at least half of the frames.
bool stands_still(const LookedCircle& circle, const std::vector<LookedCircle>& missed,
                  std::size_t looks) {
  std::set<std::size_t> there;
  for (const LookedCircle& other : missed)
    if (std::hypot(other.find.x - circle.find.x, other.find.y - circle.find.y) <
        std::max(4.0, circle.find.radius / 2))
      there.insert(other.look);
  return 2 * there.size() >= looks;
}

/// Counts circles that are as clear as those of cells that are followed, and those of them that
/// stand still and have no track.
void look_for_standing(std::vector<LookedCircle> circles, std::size_t looks,
                       CellsSecondLook& look) {
  std::vector<double> scores;
  for (const LookedCircle& circle : circles)
    if (circle.followed) scores.push_back(std::abs(circle.find.score));
  if (scores.size() < kKnownCircles) return;
  const double least =
      std::clamp(kAsClearShare * median_of(std::move(scores)), kLeastAsClear, kClearScore);
  std::erase_if(circles, [&](const LookedCircle& c) { return std::abs(c.find.score) < least; });
  std::vector<LookedCircle> others;
  std::ranges::copy_if(circles, std::back_inserter(others),
                       [](const LookedCircle& circle) { return !circle.followed; });
  look.standing = static_cast<int>(std::ranges::count_if(
      others, [&](const LookedCircle& circle) { return stands_still(circle, others, looks); }));
  look.as_clear = static_cast<int>(circles.size() - others.size()) + look.standing;
}

void look_at_circles(const CellsProblem& problem, const LookFrames& some,
                     const std::vector<CellTrack>& tracks, Stream& stream, CellsSecondLook& look) {
  const std::vector<CellsCircles> found = circles_in(problem, some.frames, stream);
  std::vector<LookedCircle> looked;
  const std::size_t sized_step = std::max<std::size_t>(1, found.size() / kSizedLooks);
  std::vector<Image> halves, quarters, doubles;
  for (std::size_t k = 0; k < found.size(); ++k) {
    int circles = 0;
    for (const CellDetection& find : found[k]) {
      const bool followed = is_followed(find, tracks, some.numbers[k]);
      looked.push_back({find, k, followed});
      if (std::abs(find.score) < kClearScore) continue;
      ++circles;
      look.missed += followed ? 0 : 1;
    }
    ++look.frames;
    look.clear += circles;
    if (k % sized_step != 0) continue;
    ++look.sized_frames;
    look.own_size += circles;
    halves.push_back(binned(some.frames[k], {2}));
    quarters.push_back(binned(some.frames[k], {4}));
    doubles.push_back(doubled(some.frames[k]));
  }
  look_for_standing(std::move(looked), found.size(), look);
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

/// In frames as they were searched.
CellsSecondLook look_at_frames(const CellsProblem& film_problem, const CellsSamples& samples,
                               int film, const std::vector<CellTrack>& tracks, Stream& stream) {
  if (const CellsBins bins = bins_of(film_problem); bins.change_frames())
    return look_at_frames(binned_problem(film_problem, bins),
                          samples.each([&](AnyView frames) { return binned(frames, bins); }), film,
                          binned_tracks(tracks, bins), stream);
  CellsProblem problem = film_problem;
  problem.threshold = problem.threshold_alone;
  CellsSecondLook look;
  look_at_circles(problem, frames_of(samples, film), tracks, stream, look);
  look_at_tracks(problem, frames_of(samples, film), tracks, look);
  look.followed = static_cast<int>(tracks.size());
  std::vector<CellTrack> whole = tracks;
  merge_sides(whole);
  look.doubled = doubled_tracks(whole);
  look.paired = tracks_in_pairs(whole);
  look.fleeting = fleeting_tracks(whole, problem, samples.offered());
  look.lone = lone_tracks(whole);
  look.odd = odd_tracks(whole);
  look.broken = tracks_that_end_together(tracks, problem.frame.size, samples.offered());
  return look;
}

}  // namespace

CellsSecondLook second_look(const CellsProblem& problem, const CellsSamples& samples, int film,
                            const std::vector<CellTrack>& tracks,
                            const std::vector<CellDrift>& tissue, Stream& stream) {
  CellsSecondLook look = look_at_frames(problem, samples, film, tracks, stream);
  look.weak =
      weak_tracks(tracks, problem.frame.size, problem.options.background == CellsBackground::still);
  std::vector<CellTrack> whole = tracks;
  merge_sides(whole);
  look.tissue = tissue_like_tracks(whole, tissue);
  look.resumed = resumed_tracks(whole, tissue);
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
        "the search found {}, but the trial dropped {}: none was seen in {} of the {} "
        "frames "
        "that follow; try a smaller threshold, or flow and speed if cells are fast",
        counted(lives.begun, "circle"), lives.begun == 1 ? "it" : "all",
        static_cast<int>(std::ceil(kCells.trial_seen * problem.trial)), problem.trial);
  return fmt::format("{} {} followed, each for fewer than {} frames; try a smaller min-frames",
                     counted(lives.confirmed, "cell"), lives.confirmed == 1 ? "was" : "were",
                     *o.min_frames);
}

namespace {

/// Why objects have no track, and the option to try.
const char* why_untracked(const CellsOptions& options) {
  if (options.background == CellsBackground::none)
    return "cells that come in between two searches are followed late or not at all; try "
           "detect-every 1";
  return "cells that stand still look like tissue; with background none both are followed";
}

}  // namespace

std::vector<std::string> doubts_of(const CellsSecondLook& look, const CellsOptions& options) {
  std::vector<std::string> doubts;
  const auto some = [&](int count) { return 2 * count >= look.frames && count > 0; };
  const auto share = [](int part, int all) { return part / std::max(1.0, 1.0 * all); };
  const bool other_size = look.large > 2 * look.own_size || look.small > 1.1 * look.own_size;
  if (look.missed > 0 && some(look.missed) && share(look.missed, look.clear) > kManyMissed)
    doubts.push_back(
        fmt::format("{} of {} round objects that are clear in single frames have no track: {}",
                    look.missed, look.clear, why_untracked(options)));
  else if (share(look.standing, look.as_clear) > kManyStanding)
    doubts.push_back(fmt::format(
        "{} of {} round objects in single frames that are as clear as the cells followed stand "
        "still and have no track: {}",
        look.standing, look.as_clear, why_untracked(options)));
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
  if (share(look.fleeting, look.followed) > kManyFleeting)
    doubts.push_back(fmt::format(
        "{} of {} tracks {} short and {} or {} in the middle of the frame: a cell may have been "
        "lost and found again, or something else was followed; a larger min-frames leaves such "
        "tracks out",
        look.fleeting, look.followed, look.fleeting == 1 ? "is" : "are",
        look.fleeting == 1 ? "begins" : "begin", look.fleeting == 1 ? "ends" : "end"));
  if (share(look.lone.count, look.followed) > kManyLone) {
    const bool one = look.lone.count == 1;
    const char* const others = look.lone.dark ? "bright" : "dark";
    doubts.push_back(fmt::format(
        "{} of {} tracks {} {}, and all others {}: {} may be tissue, or the edge of a cell; "
        "polarity {} leaves {} out",
        look.lone.count, look.followed, one ? "is" : "are", look.lone.dark ? "dark" : "bright",
        others, one ? "it" : "they", others, one ? "it" : "them"));
  }
  if (share(look.odd, look.followed) > kManyOdd)
    doubts.push_back(fmt::format(
        "{} of {} tracks {} much longer than wide, unlike the others: {} may be tissue, or two "
        "cells that are followed as one; inside and edits leave {} out",
        look.odd, look.followed, look.odd == 1 ? "is" : "are", look.odd == 1 ? "it" : "they",
        look.odd == 1 ? "it" : "them"));
  if (share(look.tissue, look.followed) > kManyTissue)
    doubts.push_back(fmt::format(
        "{} of {} tracks {} still and {} longer, fainter or smaller than the cells followed: {} "
        "may be tissue; inside and edits leave {} out",
        look.tissue, look.followed, look.tissue == 1 ? "stands" : "stand",
        look.tissue == 1 ? "is" : "are", look.tissue == 1 ? "it" : "they",
        look.tissue == 1 ? "it" : "them"));
  if (share(look.resumed, look.followed) > kManyResumed)
    doubts.push_back(fmt::format(
        "{} of {} tracks {} where another ended: a cell that stands may have been lost and found "
        "again; edits merge its tracks",
        look.resumed, look.followed, look.resumed == 1 ? "begins" : "begin"));
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
