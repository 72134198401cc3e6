// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/look/cells_sides.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace tessera {
namespace {

constexpr int kCommonFrames = 5;
constexpr double kCommonShare = 0.5;  ///< of the shorter track
/// When two tracks are sides of a cell: lengths in mean radii of the two circles, and the share of
/// their common frames in which the distance is the usual one. Once a film's direction of relief is
/// known, pairs in that direction need to agree less.
struct SideRules {
  double nearest, farthest, wander, share;
};
constexpr SideRules kStrict{0.4, 2.8, 0.5, 0.7}, kAlong{0.4, 3.2, 0.8, 0.5};
/// Pairs of sides that move, of which fewer may be neighbours; and of those that go far together.
constexpr int kLeastPairs = 3, kLeastFarPairs = 2;
constexpr double kPairedShare = 0.1;  ///< of the tracks
constexpr double kFar = 4;            ///< radii
constexpr double kAgreement = 0.85;   ///< length of the mean of the pairs' unit vectors
constexpr double kAcross = 0.7;       ///< cosine of a pair's direction to the film's: 45 degrees

bool is_bright(const CellTrack& track) { return track.spots.front().score < 0; }

/// A bright and a dark track that stay at a distance of about two radii.
struct Sides {
  std::size_t bright, dark;
  std::complex<double> offset;  ///< from the bright to the dark one, mean
  bool moves;                   ///< by more than a radius
  bool far;
};

/// Medians of both parts: a side that is lost for a while does not count.
std::complex<double> middle_of(const std::vector<std::complex<double>>& offsets) {
  std::vector<double> across, down;
  for (const std::complex<double> offset : offsets) {
    across.push_back(offset.real());
    down.push_back(offset.imag());
  }
  const auto middle = static_cast<std::ptrdiff_t>(offsets.size() / 2);
  std::ranges::nth_element(across, across.begin() + middle);
  std::ranges::nth_element(down, down.begin() + middle);
  return {across[offsets.size() / 2], down[offsets.size() / 2]};
}

bool are_far_apart(const CellSpot& a, const CellSpot& b, const SideRules& rules) {
  return std::hypot(a.x - b.x, a.y - b.y) > 2 * rules.farthest * std::max(a.radius, b.radius);
}

std::optional<Sides> sides_of(const std::vector<CellTrack>& tracks, std::size_t bright,
                              std::size_t dark, const SideRules& rules) {
  const CellTrack &a = tracks[bright], &b = tracks[dark];
  const int first = std::max(a.spots.front().frame, b.spots.front().frame);
  const int last = std::min(a.spots.back().frame, b.spots.back().frame);
  const int common = last - first + 1;
  const auto shorter = static_cast<double>(std::min(a.spots.size(), b.spots.size()));
  if (common < kCommonFrames || common < kCommonShare * shorter) return std::nullopt;
  if (are_far_apart(*spot_in(a, first), *spot_in(b, first), rules) &&
      are_far_apart(*spot_in(a, last), *spot_in(b, last), rules))
    return std::nullopt;
  std::vector<std::complex<double>> offsets;
  double radius = 0;
  for (int frame = first; frame <= last; ++frame) {
    const CellSpot &p = *spot_in(a, frame), &q = *spot_in(b, frame);
    offsets.emplace_back(q.x - p.x, q.y - p.y);
    radius += (p.radius + q.radius) / 2 / common;
  }
  const std::complex<double> usual = middle_of(offsets);
  const auto near = std::ranges::count_if(offsets, [&](std::complex<double> offset) {
    return std::abs(offset - usual) < rules.wander * radius;
  });
  if (std::abs(usual) < rules.nearest * radius || std::abs(usual) > rules.farthest * radius ||
      static_cast<double>(near) < rules.share * common)
    return std::nullopt;
  const CellSpot &start = *spot_in(a, first), &end = *spot_in(a, last);
  const double way = std::hypot(end.x - start.x, end.y - start.y);
  return Sides{bright, dark, usual, way > radius, way > kFar * radius};
}

std::vector<Sides> all_sides(const std::vector<CellTrack>& tracks, const SideRules& rules) {
  std::vector<Sides> found;
  for (std::size_t i = 0; i < tracks.size(); ++i)
    for (std::size_t j = 0; j < tracks.size(); ++j)
      if (is_bright(tracks[i]) && !is_bright(tracks[j]))
        if (const auto sides = sides_of(tracks, i, j, rules)) found.push_back(*sides);
  return found;
}

/// The common direction of the pairs that move, as a unit vector.
std::optional<std::complex<double>> direction_of(const std::vector<Sides>& pairs,
                                                 std::size_t tracks) {
  std::complex<double> sum = 0;
  int moving = 0, far = 0;
  for (const Sides& sides : pairs)
    if (sides.moves) {
      sum += sides.offset / std::abs(sides.offset);
      ++moving;
      far += sides.far ? 1 : 0;
    }
  // In a dense flow some neighbours go together by chance.
  if (2 * moving < kPairedShare * static_cast<double>(tracks)) return std::nullopt;
  if ((moving < kLeastPairs && far < kLeastFarPairs) || std::abs(sum) < kAgreement * moving)
    return std::nullopt;
  return sum / std::abs(sum);
}

/// The sides of one cell in a frame; a side of several tracks is at their mean.
struct SidesOfSpot {
  struct Side {
    std::complex<double> place = 0;
    double radius = 0, score = 0;
    int spots = 0, seen = 0;
    void add(const CellSpot& spot) {
      place += std::complex(spot.x, spot.y);
      radius += spot.radius;
      score += spot.score;
      ++spots;
      seen += spot.seen ? 1 : 0;
    }
    std::complex<double> middle() const { return place / static_cast<double>(spots); }
  };
  Side bright, dark;
};

CellSpot merged_spot(int frame, const SidesOfSpot& sides, std::complex<double> offset) {
  const SidesOfSpot::Side &b = sides.bright, &d = sides.dark;
  const bool both = b.spots > 0 && d.spots > 0;
  const std::complex<double> centre = both          ? (b.middle() + d.middle()) / 2.0
                                      : b.spots > 0 ? b.middle() + offset / 2.0
                                                    : d.middle() - offset / 2.0;
  const int spots = b.spots + d.spots;
  // A side ends near the cell's outline, and begins near its centre.
  const double radius = std::abs(offset) / 2 + (b.radius + d.radius) / spots / 2;
  const SidesOfSpot::Side& clearer = b.spots > 0 ? b : d;
  return {frame,
          centre.real(),
          centre.imag(),
          radius,
          clearer.score / clearer.spots,
          b.seen + d.seen > 0};
}

CellTrack merged_track(const std::vector<const CellTrack*>& members, std::complex<double> offset) {
  std::map<int, SidesOfSpot> frames;
  CellTrack merged{members.front()->id, {}};
  for (const CellTrack* track : members) {
    merged.id = std::min(merged.id, track->id);
    for (const CellSpot& spot : track->spots) {
      SidesOfSpot& at = frames[spot.frame];
      (is_bright(*track) ? at.bright : at.dark).add(spot);
    }
  }
  for (const auto& [frame, sides] : frames)
    merged.spots.push_back(merged_spot(frame, sides, offset));
  return merged;
}

}  // namespace

const CellSpot* spot_in(const CellTrack& track, int frame) {
  const int k = frame - track.spots.front().frame;
  const bool has = k >= 0 && k < static_cast<int>(track.spots.size());
  return has ? &track.spots[static_cast<std::size_t>(k)] : nullptr;
}

int tracks_in_pairs(const std::vector<CellTrack>& tracks) {
  std::set<std::size_t> paired;
  for (const Sides& sides : all_sides(tracks, kStrict))
    if (sides.moves) paired.insert({sides.bright, sides.dark});
  return static_cast<int>(paired.size());
}

int merge_sides(std::vector<CellTrack>& tracks) {
  const auto direction = direction_of(all_sides(tracks, kStrict), tracks.size());
  if (!direction) return 0;
  std::vector<Sides> pairs = all_sides(tracks, kAlong);
  std::erase_if(pairs, [&](const Sides& sides) {
    return (sides.offset * std::conj(*direction)).real() < kAcross * std::abs(sides.offset);
  });
  // A track belongs to the group of its first partner; groups that share a track become one.
  std::vector<std::size_t> group(tracks.size());
  std::iota(group.begin(), group.end(), std::size_t{0});
  for (const Sides& sides : pairs) {
    const std::size_t from = group[sides.dark], to = group[sides.bright];
    std::ranges::replace(group, from, to);
  }
  std::map<std::size_t, std::vector<const CellTrack*>> members;
  std::map<std::size_t, std::pair<std::complex<double>, int>> offsets;
  for (std::size_t i = 0; i < tracks.size(); ++i) members[group[i]].push_back(&tracks[i]);
  for (const Sides& sides : pairs) {
    offsets[group[sides.bright]].first += sides.offset;
    ++offsets[group[sides.bright]].second;
  }
  std::vector<CellTrack> merged;
  for (const auto& [number, list] : members) {
    const auto [sum, count] = offsets[number];
    merged.push_back(list.size() == 1 ? *list.front()
                                      : merged_track(list, sum / static_cast<double>(count)));
  }
  std::ranges::sort(merged, {}, &CellTrack::id);
  const auto fewer = static_cast<int>(tracks.size() - merged.size());
  tracks = std::move(merged);
  return fewer;
}

}  // namespace tessera
