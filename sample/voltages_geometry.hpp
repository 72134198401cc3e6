// SPDX-License-Identifier: Apache-2.0
/// Positions on the Earth and directions on the sky. Computations that samples depend on use only +
/// - * / and square roots, so that every machine has the same bits.
#pragma once

namespace tessera {

/// Metres from the Earth's centre, or a direction of length 1, in the frame that turns with the
/// Earth (ITRF): x to the meridian of Greenwich, z to the north pole.
struct EarthVector {
  double x = 0, y = 0, z = 0;

  bool operator==(const EarthVector&) const = default;
  EarthVector operator+(const EarthVector& o) const { return {x + o.x, y + o.y, z + o.z}; }
  EarthVector operator-(const EarthVector& o) const { return {x - o.x, y - o.y, z - o.z}; }
  EarthVector operator*(double f) const { return {x * f, y * f, z * f}; }
};
inline double dot(const EarthVector& a, const EarthVector& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// Degrees and metres above the WGS84 ellipsoid.
EarthVector earth_place(double latitude, double longitude, double height);

/// An observer's east, north and up (the normal of the ellipsoid).
struct LocalAxes {
  EarthVector east, north, up;
};
LocalAxes local_axes(const EarthVector& place);

/// Degrees; azimuth from north through east.
EarthVector horizontal_direction(const LocalAxes& axes, double azimuth, double elevation);

/// Degrees, equinox of date; UT1 is taken as UTC, which is at most 0.9 s wrong.
EarthVector equatorial_direction(double right_ascension, double declination, double mjd);

/// Direction cosines l (to the east, where right ascension grows) and m (to the north) of a field
/// around `centre`; l^2 + m^2 <= 1.
EarthVector offset_direction(const EarthVector& centre, double l, double m);

/// The inverses, for headers and truths.
struct SkyAngles {
  double right_ascension = 0, declination = 0;  ///< degrees
};
SkyAngles sky_angles(const EarthVector& direction, double mjd);
struct SkyOffset {
  double l = 0, m = 0;
};
SkyOffset sky_offset(const EarthVector& centre, const EarthVector& direction);

}  // namespace tessera
