// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera {
namespace {

// There is one spot per frame, so indices are times; counted from the window's middle, the line's
// height and slope are independent.
SpotMotion line_through(std::span<const CellSpot> spots, int at) {
  const auto count = static_cast<double>(spots.size());
  const double middle = (count - 1) / 2;
  double x = 0, y = 0, tx = 0, ty = 0, tt = 0;
  for (std::size_t k = 0; k < spots.size(); ++k) {
    const double t = static_cast<double>(k) - middle;
    x += spots[k].x;
    y += spots[k].y;
    tx += t * spots[k].x;
    ty += t * spots[k].y;
    tt += t * t;
  }
  if (spots.size() < 2) return {x, y, 0, 0, std::numeric_limits<double>::quiet_NaN()};
  const double vx = tx / tt, vy = ty / tt, t = at - middle;
  return {x / count + t * vx, y / count + t * vy, vx, vy, std::hypot(vx, vy)};
}

/// An edit may have added spots to frames that were not read.
CellDrift drift_at(int frame, std::span<const CellDrift> drift) {
  const int last = static_cast<int>(drift.size()) - 1;
  return drift[static_cast<std::size_t>(std::clamp(frame, 0, last))];
}

std::vector<CellSpot> places_on_tissue(std::vector<CellSpot> spots,
                                       std::span<const CellDrift> drift, int first) {
  if (drift.empty()) return spots;
  for (CellSpot& spot : spots) {
    const CellDrift moved = drift_at(spot.frame - first, drift);
    spot.x -= moved.x;
    spot.y -= moved.y;
  }
  return spots;
}

}  // namespace

std::vector<SpotMotion> motion_of(const CellTrack& track, int window,
                                  std::span<const CellDrift> drift, int first_frame) {
  const std::vector<CellSpot> spots = places_on_tissue(track.spots, drift, first_frame);
  const int count = static_cast<int>(spots.size());
  const int length = std::min(window, count);
  std::vector<SpotMotion> motion;
  for (int k = 0; k < count; ++k) {
    const int first = std::clamp(k - length / 2, 0, count - length);
    motion.push_back(line_through(
        std::span(spots).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(length)),
        k - first));
  }
  return motion;
}

double largest_drift(std::span<const CellDrift> drift) {
  double largest = 0;
  for (const CellDrift& moved : drift) largest = std::max(largest, std::hypot(moved.x, moved.y));
  return largest;
}

}  // namespace tessera
