// SPDX-License-Identifier: Apache-2.0
#include "sample/cell_crossings.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

namespace tessera {
namespace {

/// Two tracks in their common frames.
class Together {
 public:
  Together(const CellTrack& a, const CellTrack& b) : a_(a), b_(b) {
    if (a.spots.empty() || b.spots.empty()) return;
    begin_ = std::max(a.spots.front().frame, b.spots.front().frame);
    end_ = std::min(a.spots.back().frame, b.spots.back().frame) + 1;
  }

  /// Calls visit(first, last) for every stretch of frames in which the discs overlap.
  template <class Visit>
  void for_overlaps(Visit visit) const {
    for (int frame = begin_; frame < end_; ++frame) {
      if (!overlap(frame)) continue;
      const int first = frame;
      while (frame + 1 < end_ && overlap(frame + 1)) ++frame;
      visit(first, frame);
    }
  }

  bool crosses(int first, int last) const {
    for (int i = 1; i <= kApartFrames; ++i)
      if (!apart(first - i) || !apart(last + i)) return false;
    const CellSpot *a = at(a_, first - 1), *b = at(b_, first - 1);
    const CellSpot *c = at(a_, last + 1), *d = at(b_, last + 1);
    return (b->x - a->x) * (d->x - c->x) + (b->y - a->y) * (d->y - c->y) < 0;
  }

 private:
  static const CellSpot* at(const CellTrack& track, int frame) {
    const auto spot = std::ranges::lower_bound(track.spots, frame, {}, &CellSpot::frame);
    return spot != track.spots.end() && spot->frame == frame ? &*spot : nullptr;
  }
  /// Nothing if a cell is missing.
  std::optional<bool> overlapping(int frame) const {
    const CellSpot *a = at(a_, frame), *b = at(b_, frame);
    if (!a || !b) return {};
    const double dx = a->x - b->x, dy = a->y - b->y, reach = a->radius + b->radius;
    return dx * dx + dy * dy < reach * reach;
  }
  bool overlap(int frame) const { return overlapping(frame).value_or(false); }
  bool apart(int frame) const { return !overlapping(frame).value_or(true); }

  const CellTrack &a_, &b_;
  int begin_ = 0, end_ = 0;
};

}  // namespace

std::vector<CellCrossing> find_crossings(const std::vector<CellTrack>& tracks) {
  std::vector<CellCrossing> crossings;
  for (size_t i = 0; i < tracks.size(); ++i)
    for (size_t j = i + 1; j < tracks.size(); ++j) {
      const Together pair(tracks[i], tracks[j]);
      pair.for_overlaps([&](int first, int last) {
        if (pair.crosses(first, last))
          crossings.push_back({first, last, tracks[i].id, tracks[j].id});
      });
    }
  std::ranges::sort(crossings, {}, [](const CellCrossing& c) {
    return std::tuple(c.first, c.last, c.id, c.other);
  });
  return crossings;
}

int longest_overlap(const CellTrack& a, const CellTrack& b) {
  int longest = 0;
  Together(a, b).for_overlaps(
      [&](int first, int last) { longest = std::max(longest, last - first + 1); });
  return longest;
}

}  // namespace tessera
