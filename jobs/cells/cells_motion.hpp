// SPDX-License-Identifier: Apache-2.0
/// How a cell moves: straight lines through the positions of a window of frames.
#pragma once

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
/// window is moved inside, and if the track is shorter, it is the whole track.
std::vector<SpotMotion> motion_of(const CellTrack& track, int window);

}  // namespace tessera
