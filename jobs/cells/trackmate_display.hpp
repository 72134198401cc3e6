// SPDX-License-Identifier: Apache-2.0
/// How TrackMate draws the tracks of a file when it opens it.
#pragma once

#include <string>

namespace tessera {

/// JSON with everything that TrackMate 7 and 8 write. Tracks have different colours, and only their
/// last 30 frames are drawn.
std::string trackmate_display(int tracks);

}  // namespace tessera
