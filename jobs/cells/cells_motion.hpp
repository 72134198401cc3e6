// SPDX-License-Identifier: Apache-2.0
/// How a cell moves: straight lines through the positions of a window of frames.
#pragma once

#include <span>
#include <vector>

#include "tessera/cells.hpp"

namespace tessera {

/// A cell in one frame, by the least-squares line through its window.
struct SpotMotion {
  double x = 0, y = 0;    ///< on the line
  double vx = 0, vy = 0;  ///< its slope, pixels per frame
  double speed = 0;       ///< length of the slope; NaN for a track of one spot
};

/// For every spot the line through `window` spots with it in the middle; at the ends of a track the
/// window is moved inside, and if the track is shorter, it is the whole track. Positions are places
/// on the tissue: minus the drift of their frame, if there are drifts, the first of which is that
/// of frame `first`.
std::vector<SpotMotion> motion_of(const CellTrack& track, int window,
                                  std::span<const CellDrift> drift = {}, int first = 0);

/// The largest distance of the scene from its place in the first frame, in pixels.
double largest_drift(std::span<const CellDrift> drift);

}  // namespace tessera
