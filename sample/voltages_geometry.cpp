// SPDX-License-Identifier: Apache-2.0
#include "sample/voltages_geometry.hpp"

#include <cmath>
#include <numbers>

#include "sample/exact_math.hpp"

namespace tessera {
namespace {

/// WGS84: the equator's radius in metres and the square of the eccentricity.
constexpr double kRadius = 6378137, kEccentricity2 = 6.69437999014131699614e-3;

double sine(double degrees) { return sine_of_turns(degrees / 360); }
double cosine(double degrees) { return cosine_of_turns(degrees / 360); }

/// Greenwich mean sidereal time in degrees (IAU 1982).
double sidereal_degrees(double mjd) {
  const double days = mjd - 51544.5, centuries = days / 36525;
  return std::fmod(280.46061837 + 360.98564736629 * days +
                       centuries * centuries * (0.000387933 - centuries / 38710000),
                   360.0);
}

EarthVector cross(const EarthVector& a, const EarthVector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// East and north of a direction; at the poles east is y.
LocalAxes axes_about(const EarthVector& up) {
  const double level = std::sqrt(up.x * up.x + up.y * up.y);
  const EarthVector east =
      level > 0 ? EarthVector{-up.y / level, up.x / level, 0} : EarthVector{0, 1, 0};
  return {east, cross(up, east), up};
}

}  // namespace

EarthVector earth_place(double latitude, double longitude, double height) {
  const double s = sine(latitude), c = cosine(latitude);
  const double normal = kRadius / std::sqrt(1 - kEccentricity2 * s * s);
  return {(normal + height) * c * cosine(longitude), (normal + height) * c * sine(longitude),
          (normal * (1 - kEccentricity2) + height) * s};
}

LocalAxes local_axes(const EarthVector& place) {
  const double level = std::sqrt(place.x * place.x + place.y * place.y);
  if (level == 0) return axes_about({0, 0, place.z < 0 ? -1.0 : 1.0});
  // The tangent of the latitude; each iteration makes the error 150 times smaller.
  double tangent = place.z / (level * (1 - kEccentricity2));
  for (int turn = 0; turn < 10; ++turn) {
    const double s = tangent / std::sqrt(1 + tangent * tangent);
    const double normal = kRadius / std::sqrt(1 - kEccentricity2 * s * s);
    tangent = (place.z + kEccentricity2 * normal * s) / level;
  }
  const double c = 1 / std::sqrt(1 + tangent * tangent);
  return axes_about({c * place.x / level, c * place.y / level, c * tangent});
}

EarthVector horizontal_direction(const LocalAxes& axes, double azimuth, double elevation) {
  const double level = cosine(elevation);
  return axes.east * (level * sine(azimuth)) + axes.north * (level * cosine(azimuth)) +
         axes.up * sine(elevation);
}

EarthVector equatorial_direction(double right_ascension, double declination, double mjd) {
  const double longitude = right_ascension - sidereal_degrees(mjd), c = cosine(declination);
  return {c * cosine(longitude), c * sine(longitude), sine(declination)};
}

EarthVector offset_direction(const EarthVector& centre, double l, double m) {
  const LocalAxes axes = axes_about(centre);
  return axes.east * l + axes.north * m + centre * std::sqrt(1 - l * l - m * m);
}

SkyAngles sky_angles(const EarthVector& direction, double mjd) {
  constexpr double kDegrees = 180 / std::numbers::pi;
  const double ra = kDegrees * std::atan2(direction.y, direction.x) + sidereal_degrees(mjd);
  return {ra - 360 * std::floor(ra / 360),
          kDegrees * std::atan2(direction.z, std::hypot(direction.x, direction.y))};
}

SkyOffset sky_offset(const EarthVector& centre, const EarthVector& direction) {
  const LocalAxes axes = axes_about(centre);
  return {dot(axes.east, direction), dot(axes.north, direction)};
}

}  // namespace tessera
