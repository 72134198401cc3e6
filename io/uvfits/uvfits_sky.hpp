// SPDX-License-Identifier: Apache-2.0
/// The orientation of the Earth relative to the sky, to about a tenth of an arcsecond, and 0.3 for
/// polar motion. UT1 must be given: taken as UTC it is wrong by up to 0.9 s, 13 arcseconds, which
/// is still enough for (u, v, w), which are projections.
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
  /// `dut1` is UT1 - UTC in seconds, as the IERS publishes it.
  explicit EarthAt(double mjd_utc, double dut1 = 0);

  /// Rotates a vector of ITRF to the axes of ICRS.
  Vector3 to_sky(const Vector3& itrf) const;
  /// The direction in which a place on the sky is seen from the moving Earth.
  Vector3 seen(const SkyPlace& place) const;
  /// The inverse: the place that is seen in a direction of ITRF.
  SkyPlace place(const Vector3& itrf_direction) const;
  /// A place as its right ascension and declination of date: true equator and equinox, with
  /// aberration. And the inverse.
  SkyPlace of_date(const SkyPlace& place) const;
  SkyPlace from_date(const SkyPlace& apparent) const;
  /// The place on the sky above a point on the Earth, along the normal of its ellipsoid (WGS 84).
  SkyPlace zenith(const Vector3& itrf) const;
  /// The direction of a place in ITRF.
  Vector3 direction(const SkyPlace& place) const;
  /// A vector of ITRF as (u, v, w) of a phase centre: w towards it, v to the north of ICRS.
  Vector3 uvw(const Vector3& itrf, const SkyPlace& centre) const;

 private:
  double sidereal_;  ///< of Greenwich, degrees
  Matrix3 turn_;
  Vector3 velocity_;  ///< of the Earth, in units of the speed of light
};

/// Greenwich apparent sidereal time, degrees.
double greenwich_sidereal_degrees(double mjd_ut1);

}  // namespace tessera
