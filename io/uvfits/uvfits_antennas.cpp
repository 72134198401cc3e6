// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "io/uvfits/uvfits.hpp"
#include "io/uvfits/uvfits_sky.hpp"
#include "tessera/error.hpp"

namespace tessera {

std::vector<std::array<double, 3>> uvfits_baselines(const std::vector<UvfitsAntenna>& antennas,
                                                    double mjd_utc, const UvfitsCentre& centre,
                                                    double dut1) {
  const EarthAt earth(mjd_utc, dut1);
  std::vector<std::array<double, 3>> turned, differences;
  for (const UvfitsAntenna& antenna : antennas)
    turned.push_back(earth.uvw(antenna.position, {centre.right_ascension, centre.declination}));
  for (std::size_t a = 0; a < turned.size(); ++a)
    for (std::size_t b = 0; b <= a; ++b)
      differences.push_back(
          {turned[b][0] - turned[a][0], turned[b][1] - turned[a][1], turned[b][2] - turned[a][2]});
  return differences;
}

// The poles are 6357 km from the centre, and the deepest mines 4 km deep.
void check_on_earth(const std::string& what, const std::vector<UvfitsAntenna>& antennas) {
  constexpr double kLowest = 6340e3, kHighest = 7000e3;
  for (const UvfitsAntenna& antenna : antennas) {
    const auto& [x, y, z] = antenna.position;
    const double radius = std::hypot(x, y, z);
    if (radius >= kLowest && radius <= kHighest) continue;
    throw Error(ErrorKind::usage,
                fmt::format("{}: antenna {} is {:.6g} km from the Earth's centre; positions are x, "
                            "y, z of ITRF in metres, some 6370 km from it",
                            what, antenna.name, radius / 1e3));
  }
}

}  // namespace tessera
