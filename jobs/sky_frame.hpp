// SPDX-License-Identifier: Apache-2.0
/// Places on the celestial sphere in the frames that images have: ICRS, FK5 of J2000 and Galactic.
#pragma once

#include <string>

#include "io/header_cards.hpp"

namespace tessera {

/// Longitude and latitude in degrees: RA and Dec, or l and b.
struct SkyPoint {
  double longitude = 0, latitude = 0;
};

enum class SkyFrame : unsigned char { icrs, fk5, galactic };

/// By CTYPE of the axis of longitude, RADESYS and EQUINOX. Throws Error(input) naming frames that
/// cannot be converted (FK4, ecliptic …); `path` begins the message.
SkyFrame sky_frame_of(const std::string& path, const HeaderCards& header,
                      const std::string& longitude_type);

/// Longitudes of results are from 0 to 360.
SkyPoint from_icrs(SkyPoint place, SkyFrame to);
SkyPoint to_icrs(SkyPoint place, SkyFrame from);

}  // namespace tessera
