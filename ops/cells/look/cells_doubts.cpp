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
constexpr double kManyMissed = 0.07, kManyFaint = 0.1, kManyPaired = 0.1, kManyBroken = 0.2;
constexpr std::size_t kMostLooks = 16, kSizedLooks = 3;  ///< frames; other sizes take long
constexpr int kTogether = 3;  ///< frames within which tracks end together

/// Clear circles of the same radii in the frame at another size.
int clear_at(AnyView frame, CellsOptions options, double threshold, Stream& stream) {
  if (frame.size.empty()) return 0;
  options.crop = "auto";
  options.threshold = threshold;
  CellsProblem problem = make_cells_problem(frame.info(), options);
  if (centres_of(problem, problem.crop).width <= 0 || centres_of(problem, problem.crop).height <= 0)
    return 0;
  return static_cast<int>(PlainFrame(problem, frame, stream).clear_circles(stream).size());
}

bool is_followed(const CellFind<float>& find, const std::vector<CellTrack>& tracks, int frame) {
  const auto x = static_cast<double>(find.x), y = static_cast<double>(find.y);
  return std::ranges::any_of(tracks, [&](const CellTrack& track) {
    const CellSpot* spot = spot_in(track, frame);
    return spot &&
           std::hypot(spot->x - x, spot->y - y) < std::max(4.0, static_cast<double>(find.radius));
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

std::vector<CellTrack> binned_tracks(std::vector<CellTrack> tracks, CellsBins bins) {
  for (CellTrack& track : tracks)
    for (CellSpot& spot : track.spots) {
      spot.x = bins.binned(spot.x);
      spot.y = bins.binned(spot.y);
      spot.radius /= bins.factor;
    }
  return tracks;
}

}  // namespace

CellsSecondLook second_look(const CellsProblem& film_problem, const CellsSamples& samples, int film,
                            const std::vector<CellTrack>& tracks) {
  if (const CellsBins bins = bins_of(film_problem); bins.factor > 1)
    return second_look(binned_problem(film_problem, bins),
                       samples.each([&](AnyView frames) { return binned(frames, bins); }), film,
                       binned_tracks(tracks, bins));
  Stream stream(kHost);
  CellsProblem problem = film_problem;
  problem.threshold = problem.threshold_alone;
  CellsSecondLook look;
  std::map<int, std::pair<double, int>> shown;  // of tracks: sum of scores, and frames
  const std::vector<CellsSamples::Sample>& kept = samples.kept();
  const std::size_t step = std::max<std::size_t>(1, (kept.size() + kMostLooks - 1) / kMostLooks);
  const std::size_t sized_step = step * std::max<std::size_t>(1, kept.size() / step / kSizedLooks);
  for (std::size_t k = 0; k < kept.size(); k += step) {
    const CellsSamples::Sample& sample = kept[k];
    const AnyView frame = sample.planes.view().only_plane(film);
    const PlainFrame plain(problem, frame, stream);
    const auto circles = plain.clear_circles(stream);
    ++look.frames;
    look.clear += static_cast<int>(circles.size());
    for (const CellFind<float>& find : circles)
      look.missed += is_followed(find, tracks, sample.frame) ? 0 : 1;
    if (k % sized_step == 0) {
      ++look.sized_frames;
      look.own_size += static_cast<int>(circles.size());
      const Image half = binned(frame, {2}), quarter = binned(frame, {4});
      look.large += clear_at(half.view(), problem.options, problem.threshold, stream) +
                    clear_at(quarter.view(), problem.options, problem.threshold, stream);
      look.small += clear_at(doubled(frame).view(), problem.options, problem.threshold, stream);
    }
    for (const CellTrack& track : tracks)
      if (const CellSpot* spot = spot_in(track, sample.frame); spot && spot->seen) {
        auto& [sum, count] = shown[track.id];
        sum += plain.score_of(*spot);
        ++count;
      }
  }
  look.tracks = static_cast<int>(shown.size());
  for (const auto& [id, scores] : shown)
    look.faint += scores.first / scores.second < kFaint ? 1 : 0;
  std::vector<CellTrack> whole = tracks;
  merge_sides(whole);
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
