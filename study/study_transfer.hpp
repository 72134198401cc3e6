// SPDX-License-Identifier: Apache-2.0
/// Strips of a case on several streams, whose copies both ways overlap.
#pragma once

#include <vector>

#include "tessera/stream.hpp"

namespace tessera {

template <class Strip>
struct Lane {
  Stream stream;
  Strip strip;
};

/// All of every strip, on streams that begin when the study's does and end before it.
template <class Strip>
void run_lanes(std::vector<Lane<Strip>>& lanes, Stream& on) {
  for (Lane<Strip>& lane : lanes) {
    lane.stream.after(on);
    lane.strip.all(lane.stream);
  }
  for (Lane<Strip>& lane : lanes) on.after(lane.stream);
}

}  // namespace tessera
