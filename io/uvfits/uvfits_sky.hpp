// SPDX-License-Identifier: Apache-2.0
/// Where the Earth and the sky stand to each other, to about a tenth of an arcsecond but for UT1,
/// which is taken for UTC (up to 0.9 s, 13 arcseconds): enough for (u, v, w), which are
/// projections.
#pragma once

#include <array>

namespace tessera {

using Vector3 = std::array<double, 3>;
using Matrix3 = std::array<Vector3, 3>;

/// Degrees, ICRS.
struct SkyPlace {
  double right_ascension = 0, declination = 0;
};

class EarthAt {
 public:
  explicit EarthAt(double mjd_utc);

  /// Turns a vector of ITRF to the axes of ICRS.
  Vector3 to_sky(const Vector3& itrf) const;
  /// Where a place of the sky is seen from the moving Earth, as a direction.
  Vector3 seen(const SkyPlace& place) const;
  /// The place of the sky over a point of the Earth, along the normal of its ellipsoid (WGS 84).
  SkyPlace zenith(const Vector3& itrf) const;
  /// A vector of ITRF as (u, v, w) of a phase centre: w towards it, v to the north of ICRS.
  Vector3 uvw(const Vector3& itrf, const SkyPlace& centre) const;

 private:
  Matrix3 turn_;
  Vector3 velocity_;  ///< of the Earth, in units of light's
};

/// Greenwich's apparent sidereal time, degrees.
double greenwich_sidereal_degrees(double mjd_ut1);

}  // namespace tessera
