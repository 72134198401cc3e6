// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/look/cells_standing_tracks.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "ops/cells/look/cells_track_counts.hpp"

namespace tessera {
namespace {

/// A track stands if none of its spots is farther than this many pixels from the first.
constexpr double kStands = 6;
/// How unlike the others a track is: its difference in stretch over this, plus this many times the
/// natural logarithms of how much fainter and smaller it is. Chosen on seeds 1 to 5 of the films of
/// docs/judging-cells.md; over seeds 1 to 11, 17 of 23 standing tracks beyond the limit were not
/// cells, and 8 of 637 below it.
constexpr double kUsualStretch = 0.05, kLogWeight = 4, kUnlike = 4.5;
/// A resumed track, and the one before it, stay within this many of their radii, and lie closer
/// than this share of the larger radius.
constexpr double kStays = 2, kSamePlace = 0.8;

struct OnTissue {
  double x, y;
};
OnTissue on_tissue(const CellSpot& spot, const std::vector<CellDrift>& tissue) {
  if (spot.frame >= static_cast<int>(tissue.size())) return {spot.x, spot.y};
  const CellDrift& at = tissue[static_cast<std::size_t>(spot.frame)];
  return {spot.x - at.x, spot.y - at.y};
}

double apart(const CellSpot& a, const CellSpot& b, const std::vector<CellDrift>& tissue) {
  const OnTissue one = on_tissue(a, tissue), two = on_tissue(b, tissue);
  return std::hypot(one.x - two.x, one.y - two.y);
}

bool stays_within(double reach, const CellTrack& track, const std::vector<CellDrift>& tissue) {
  return std::ranges::all_of(track.spots, [&](const CellSpot& spot) {
    return apart(spot, track.spots.front(), tissue) < reach;
  });
}

double median_radius(const CellTrack& track) {
  std::vector<double> radii;
  for (const CellSpot& spot : track.spots) radii.push_back(spot.radius);
  return median_of(std::move(radii));
}

/// Properties by which tracks are compared.
struct Looks {
  std::optional<double> stretch;
  double score, radius;
};

double how_much_less(double value, double usual) {
  return value > 0 ? std::max(0.0, std::log(usual / value)) : 0;
}

}  // namespace

int tissue_like_tracks(const std::vector<CellTrack>& tracks, const std::vector<CellDrift>& tissue) {
  std::vector<Looks> looks;
  std::vector<double> stretches, scores, radii;
  for (const CellTrack& track : tracks) {
    looks.push_back({median_stretch(track), median_score(track), median_radius(track)});
    if (looks.back().stretch) stretches.push_back(*looks.back().stretch);
    scores.push_back(looks.back().score);
    radii.push_back(looks.back().radius);
  }
  if (stretches.empty()) return 0;
  const double stretch = median_of(std::move(stretches)), score = median_of(std::move(scores)),
               radius = median_of(std::move(radii));
  int count = 0;
  for (std::size_t k = 0; k < tracks.size(); ++k) {
    if (!looks[k].stretch || !stays_within(kStands, tracks[k], tissue)) continue;
    const double unlike = (*looks[k].stretch - stretch) / kUsualStretch +
                          kLogWeight * (how_much_less(looks[k].score, score) +
                                        how_much_less(looks[k].radius, radius));
    count += unlike > kUnlike ? 1 : 0;
  }
  return count;
}

int resumed_tracks(const std::vector<CellTrack>& tracks, const std::vector<CellDrift>& tissue) {
  const auto stands = [&](const CellTrack& track) {
    return stays_within(kStays * track.spots.front().radius, track, tissue);
  };
  const auto goes_on = [&](const CellTrack& before, const CellTrack& track) {
    const CellSpot &end = before.spots.back(), &begin = track.spots.front();
    return end.frame < begin.frame &&
           apart(end, begin, tissue) < kSamePlace * std::max(end.radius, begin.radius) &&
           stands(before);
  };
  return static_cast<int>(std::ranges::count_if(tracks, [&](const CellTrack& track) {
    return std::ranges::any_of(tracks,
                               [&](const CellTrack& other) { return goes_on(other, track); }) &&
           stands(track);
  }));
}

}  // namespace tessera
