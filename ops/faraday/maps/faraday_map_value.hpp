// SPDX-License-Identifier: Apache-2.0
/// Writes values of a spectrum into the maps that were requested.
#pragma once

#include <algorithm>
#include <vector>

#include "ops/faraday/maps/faraday_peak.hpp"

namespace tessera {

/// Whether one of these maps depends on the noise.
inline bool needs_faraday_noise(const std::vector<FaradayMap>& maps) {
  return std::any_of(maps.begin(), maps.end(), [](FaradayMap map) {
    return map == FaradayMap::rm_error || map == FaradayMap::rm_error_fwhm ||
           map == FaradayMap::pi_debiased || map == FaradayMap::snr ||
           map == FaradayMap::angle_error || map == FaradayMap::angle_0_error ||
           map == FaradayMap::noise;
  });
}

template <class T>
void put_faraday_values(const FaradayValues& values, const std::vector<FaradayMap>& maps, int x,
                        int y, View<T> out) {
  for (int m = 0; m < out.size.planes; ++m) {
    const int place = static_cast<int>(maps[static_cast<std::size_t>(m)]);
    out.at(x, y, 0, m) = faraday_value_as<T>(values.at[place], place);
  }
}

}  // namespace tessera
