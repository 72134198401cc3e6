// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cell_score.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/counted.hpp"
#include "jobs/cells/cell_pairs.hpp"
#include "jobs/cells/cell_track_file.hpp"
#include "sample/cell_crossings.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr int kLeastSpots = 10, kLeastBetween = 10;
constexpr int kFollowedFrames = 3;  // of kApartFrames

std::optional<double> share(double part, double all) {
  return all > 0 ? std::optional(part / all) : std::nullopt;
}

const CellSpot* spot_in(const CellTrack& track, int frame) {
  const auto spot = std::ranges::lower_bound(track.spots, frame, {}, &CellSpot::frame);
  return spot != track.spots.end() && spot->frame == frame ? &*spot : nullptr;
}

class Scorer {
 public:
  Scorer(const std::vector<CellTrack>& truth, const std::vector<CellTrack>& found,
         const CellScoreOptions& options)
      : truth_(truth),
        found_(found),
        o_(options),
        pairs_(truth, found, options.gate),
        finder_(pairs_.pairs_by_frames(kLeastSpots)) {}

  CellScore score() {
    whole_tracks();
    spots();
    cells();
    at_frame();
    velocities();
    crossings();
    return score_;
  }

 private:
  static int count(const auto& list) { return static_cast<int>(list.size()); }
  static int spots_of(const std::vector<CellTrack>& tracks) {
    int all = 0;
    for (const CellTrack& track : tracks) all += count(track.spots);
    return all;
  }
  const CellTrack& truth(int i) const { return truth_[static_cast<std::size_t>(i)]; }
  const CellTrack& found(int j) const { return found_[static_cast<std::size_t>(j)]; }

  void whole_tracks() {
    const double true_spots = spots_of(truth_), found_spots = spots_of(found_);
    double hits = 0, squares = 0, paired_spots = 0, paired = 0;
    for (int i = 0; i < count(truth_); ++i) {
      const int j = pairs_.track_pairs()[static_cast<std::size_t>(i)];
      if (j < 0) continue;
      ++paired;
      paired_spots += count(found(j).spots);
      hits += pairs_.meeting(i, j).near;
      squares += pairs_.meeting(i, j).squares;
    }
    const double nothing = o_.gate * true_spots;
    score_.alpha = share(pairs_.saved(), nothing);
    score_.beta = share(pairs_.saved(), nothing + o_.gate * (found_spots - paired_spots));
    score_.jsc = share(hits, true_spots + found_spots - hits);
    score_.jsc_theta = share(paired, count(truth_) + count(found_) - paired);
    if (hits > 0) score_.rmse = std::sqrt(squares / hits);
  }

  void spots() {
    int partnered = 0;
    for (int j = 0; j < count(found_); ++j) partnered += pairs_.partnered(j);
    score_.precision = share(partnered, spots_of(found_));
    score_.recall = share(partnered, spots_of(truth_));
  }

  void cells() {
    std::vector<bool> finds(found_.size());
    for (int i = 0; i < count(truth_); ++i) {
      score_.cells += count(truth(i).spots) >= kLeastSpots;
      const int j = finder_[static_cast<std::size_t>(i)];
      if (j < 0) continue;
      ++score_.found;
      finds[static_cast<std::size_t>(j)] = true;
    }
    score_.tracks = count(found_);
    for (int j = 0; j < count(found_); ++j) {
      if (2 * pairs_.partnered(j) < count(found(j).spots))
        ++score_.false_tracks;
      else if (!finds[static_cast<std::size_t>(j)])
        ++score_.pieces;
    }
    score_.found_share = share(score_.found, score_.cells);
    score_.false_share = share(score_.false_tracks, score_.tracks);
  }

  void at_frame() {
    for (int i = 0; i < count(truth_); ++i) {
      const CellSpot* spot = spot_in(truth(i), o_.frame);
      if (!spot) continue;
      ++score_.there;
      const SpotPartner& partner =
          pairs_.partners(i)[static_cast<std::size_t>(spot - truth(i).spots.data())];
      score_.near += partner.track >= 0 && partner.distance <= o_.near;
      const int j = finder_[static_cast<std::size_t>(i)];
      const CellSpot* other = j < 0 ? nullptr : spot_in(found(j), o_.frame);
      if (!other) continue;
      ++score_.followed;
      score_.near_followed += std::hypot(spot->x - other->x, spot->y - other->y) <= o_.near;
    }
    score_.near_share = share(score_.near, score_.there);
    score_.near_followed_share = share(score_.near_followed, score_.followed);
  }

  std::optional<double> velocity_error(const CellTrack& a, const CellTrack& b) const {
    const CellSpot *first = nullptr, *first_other = nullptr, *last = nullptr, *last_other = nullptr;
    for (const CellSpot& spot : a.spots)
      if (const CellSpot* other = spot_in(b, spot.frame)) {
        if (!first) first = &spot, first_other = other;
        last = &spot, last_other = other;
      }
    if (!first || last->frame - first->frame < kLeastBetween) return {};
    const double frames = last->frame - first->frame;
    return std::hypot((last->x - first->x) - (last_other->x - first_other->x),
                      (last->y - first->y) - (last_other->y - first_other->y)) /
           frames;
  }

  void velocities() {
    double sum = 0, worst = 0;
    for (int i = 0; i < count(truth_); ++i) {
      const int j = finder_[static_cast<std::size_t>(i)];
      const auto error = j < 0 ? std::nullopt : velocity_error(truth(i), found(j));
      if (!error) continue;
      ++score_.velocities;
      sum += *error;
      worst = std::max(worst, *error);
    }
    score_.velocity_error = share(sum, score_.velocities);
    if (score_.velocities > 0) score_.worst_velocity_error = worst;
  }

  /// The track that follows a cell in the kApartFrames frames from `first` on; -1: none.
  int follower(int cell, int first) const {
    std::vector<int> partners;
    for (int frame = first; frame < first + kApartFrames; ++frame)
      if (const CellSpot* spot = spot_in(truth(cell), frame))
        partners.push_back(
            pairs_.partners(cell)[static_cast<std::size_t>(spot - truth(cell).spots.data())].track);
    for (const int track : partners)
      if (track >= 0 && std::ranges::count(partners, track) >= kFollowedFrames) return track;
    return -1;
  }

  bool keeps(int cell, const CellCrossing& crossing) const {
    const int before = follower(cell, crossing.first - kApartFrames);
    return before >= 0 && before == follower(cell, crossing.last + 1);
  }

  void crossings() {
    // Ids of other programs may repeat; indices are unique.
    std::vector<CellTrack> numbered = truth_;
    for (int i = 0; i < count(numbered); ++i) numbered[static_cast<std::size_t>(i)].id = i;
    for (const CellCrossing& crossing : find_crossings(numbered)) {
      ++score_.crossings;
      score_.crossings_kept += keeps(crossing.id, crossing) && keeps(crossing.other, crossing);
    }
    score_.kept_share = share(score_.crossings_kept, score_.crossings);
  }

  const std::vector<CellTrack>&truth_, &found_;
  const CellScoreOptions& o_;
  CellPairs pairs_;
  std::vector<int> finder_;  ///< the found track of every true cell, -1 for none
  CellScore score_;
};

std::string text(const std::optional<double>& value) {
  return value ? fmt::format("{:.4f}", *value) : "-";
}
std::string percent(const std::optional<double>& value) {
  return value ? fmt::format("{:.1f}%", 100 * *value) : "-";
}

}  // namespace

std::string CellScore::describe() const {
  return fmt::format(
      "alpha {}, beta {}, JSC {}, JSC theta {}, RMSE {} px\n"
      "spots: precision {}, recall {}\n"
      "cells: {} of {} found ({}); {} of {} tracks are false ({}), {}\n"
      "near at the frame: {} of {} cells ({}), {} of {} followed ({})\n"
      "velocity: mean error {} px/frame, worst {}, over {}\n"
      "crossings: {} of {} kept ({})",
      text(alpha), text(beta), text(jsc), text(jsc_theta), text(rmse), text(precision),
      text(recall), found, cells, percent(found_share), false_tracks, tracks, percent(false_share),
      counted(pieces, "piece"), near, there, percent(near_share), near_followed, followed,
      percent(near_followed_share), text(velocity_error), text(worst_velocity_error),
      counted(velocities, "cell"), crossings_kept, crossings, percent(kept_share));
}

CellScore score_tracks(const std::vector<CellTrack>& truth, const std::vector<CellTrack>& result,
                       const CellScoreOptions& options) {
  check_ranges("cells", options);
  if (options.near > options.gate)
    throw Error(ErrorKind::usage,
                fmt::format("cells: near is {}; it must be 0 to the gate's {} pixels", options.near,
                            options.gate));
  return Scorer(truth, result, options).score();
}

CellScore CellScoreJob::run() const {
  check_ranges("cells", options);  // before a pixel size is used
  return score_tracks(read_tracks(truth, options.um_per_pixel),
                      read_tracks(result, options.um_per_pixel), options);
}

}  // namespace tessera
