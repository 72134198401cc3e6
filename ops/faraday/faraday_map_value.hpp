// SPDX-License-Identifier: Apache-2.0
/// Values of a spectrum into the maps that were asked for.
#pragma once

#include <vector>

#include "ops/faraday/faraday_peak.hpp"

namespace tessera {

/// A value in the maps' type. 179.9999999 degrees become 180 in float, which is 0.
template <class T>
T faraday_map_value(const FaradayValues& values, FaradayMap map) {
  const T value = static_cast<T>(values.at[static_cast<int>(map)]);
  const bool half_turn = map == FaradayMap::angle || map == FaradayMap::angle_0;
  return half_turn && value >= 180 ? T(0) : value;
}

template <class T>
void put_faraday_values(const FaradayValues& values, const std::vector<FaradayMap>& maps, int x,
                        int y, View<T> out) {
  for (int m = 0; m < out.size.planes; ++m)
    out.at(x, y, 0, m) = faraday_map_value<T>(values, maps[static_cast<std::size_t>(m)]);
}

}  // namespace tessera
