// SPDX-License-Identifier: Apache-2.0
#include "io/uvfits/uvfits_sky.hpp"

#include <cmath>
#include <numbers>

namespace tessera {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kDegree = kPi / 180, kArcsecond = kDegree / 3600;

/// Centuries since J2000.
double centuries(double mjd) { return (mjd - 51544.5) / 36525; }

double earth_rotation(double mjd) {
  const double days = mjd - 51544.5;
  return 2 * kPi * std::fmod(0.7790572732640 + 0.00273781191135448 * days + std::fmod(days, 1), 1);
}

/// The slowly changing angles of nutation, radians.
struct Angles {
  explicit Angles(double t)
      : node((125.04455501 - 1934.13626197 * t) * kDegree),
        twice_sun(2 * (280.4665 + 36000.7698 * t) * kDegree),
        twice_moon(2 * (218.3165 + 481267.8813 * t) * kDegree),
        sun_anomaly((357.5291 + 35999.0503 * t) * kDegree) {}
  double node, twice_sun, twice_moon, sun_anomaly;
};

/// The Earth's pole in ICRS: precession (IAU 2006) and the largest terms of nutation.
struct Pole {
  double x, y;
};
Pole pole(double t) {
  const Angles a(t);
  const double x = -0.016617 + 2004.191898 * t - 0.4297829 * t * t - 0.19861834 * t * t * t -
                   6.844318 * std::sin(a.node) - 0.523908 * std::sin(a.twice_sun) -
                   0.090552 * std::sin(a.twice_moon) + 0.082169 * std::sin(2 * a.node) +
                   0.058707 * std::sin(a.sun_anomaly) + 0.205833 * t * std::cos(a.node);
  const double y = -0.006951 - 0.025896 * t - 22.4072747 * t * t + 9.205236 * std::cos(a.node) +
                   0.573033 * std::cos(a.twice_sun) + 0.097847 * std::cos(a.twice_moon) -
                   0.089618 * std::cos(2 * a.node) + 0.153042 * t * std::sin(a.node);
  return {x * kArcsecond, y * kArcsecond};
}

Vector3 times(const Matrix3& m, const Vector3& v) {
  Vector3 out{};
  for (std::size_t i = 0; i < 3; ++i) out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
  return out;
}

Matrix3 turn_about_z(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
}

Matrix3 product(const Matrix3& a, const Matrix3& b) {
  Matrix3 out{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) out[i][j] += a[i][k] * b[k][j];
  return out;
}

/// ITRF to ICRS by the intermediate pole and origin; polar motion (0.3 arcseconds) is left out.
Matrix3 terrestrial_to_sky(double mjd, double mjd_ut1) {
  const auto [x, y] = pole(centuries(mjd));
  const double a = 1 / (1 + std::sqrt(1 - x * x - y * y)), origin = -x * y / 2;
  const Matrix3 tilt{{{1 - a * x * x, -a * x * y, x},
                      {-a * x * y, 1 - a * y * y, y},
                      {-x, -y, 1 - a * (x * x + y * y)}}};
  return product(tilt, turn_about_z(earth_rotation(mjd_ut1) - origin));
}

/// From the position of the Sun, equinox of J2000.
Vector3 earth_velocity(double mjd) {
  constexpr double kAberration = 20.49552 * kArcsecond, kEccentricity = 0.016709;
  constexpr double kTilt = 23.4393 * kDegree;
  const double t = centuries(mjd), g = Angles(t).sun_anomaly;
  const double longitude = Angles(t).twice_sun / 2 - 1.396971 * t * kDegree +
                           (1.9146 * std::sin(g) + 0.01999 * std::sin(2 * g)) * kDegree;
  const double perihelion = (282.9404 - 180) * kDegree;
  const double x = std::sin(longitude) - kEccentricity * std::sin(perihelion);
  const double y = -std::cos(longitude) + kEccentricity * std::cos(perihelion);
  return {kAberration * x, kAberration * y * std::cos(kTilt), kAberration * y * std::sin(kTilt)};
}

Vector3 vector_of(const SkyPlace& place) {
  const double ra = place.right_ascension * kDegree, dec = place.declination * kDegree;
  return {std::cos(dec) * std::cos(ra), std::cos(dec) * std::sin(ra), std::sin(dec)};
}

Vector3 unit(Vector3 v, const Vector3& added, double factor) {
  for (std::size_t i = 0; i < 3; ++i) v[i] += factor * added[i];
  const double length = std::hypot(v[0], v[1], v[2]);
  for (double& part : v) part /= length;
  return v;
}

/// The angles of a direction of length 1, turned by some degrees.
SkyPlace place_of(const Vector3& s, double degrees) {
  const double ra = std::fmod(std::atan2(s[1], s[0]) / kDegree + degrees, 360);
  return {ra < 0 ? ra + 360 : ra, std::atan2(s[2], std::hypot(s[0], s[1])) / kDegree};
}

/// The normal of WGS 84 at a point near the surface (Bowring).
Vector3 normal(const Vector3& itrf) {
  constexpr double kRadius = 6378137, kFlattening = 1 / 298.257223563;
  constexpr double kPolar = kRadius * (1 - kFlattening);
  constexpr double kE2 = kFlattening * (2 - kFlattening), kE2Polar = kE2 / (1 - kE2);
  const double p = std::hypot(itrf[0], itrf[1]);
  const double u = std::atan2(itrf[2] * kRadius, p * kPolar);
  const double latitude = std::atan2(itrf[2] + kE2Polar * kPolar * std::pow(std::sin(u), 3),
                                     p - kE2 * kRadius * std::pow(std::cos(u), 3));
  const double longitude = std::atan2(itrf[1], itrf[0]);
  return {std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude),
          std::sin(latitude)};
}

}  // namespace

EarthAt::EarthAt(double mjd_utc, double dut1)
    : sidereal_(greenwich_sidereal_degrees(mjd_utc + dut1 / 86400)),
      turn_(terrestrial_to_sky(mjd_utc, mjd_utc + dut1 / 86400)),
      velocity_(earth_velocity(mjd_utc)) {}

Vector3 EarthAt::to_sky(const Vector3& itrf) const { return times(turn_, itrf); }

Vector3 EarthAt::seen(const SkyPlace& place) const { return unit(vector_of(place), velocity_, 1); }

SkyPlace EarthAt::place(const Vector3& itrf_direction) const {
  return place_of(unit(to_sky(itrf_direction), velocity_, -1), 0);
}

Vector3 EarthAt::direction(const SkyPlace& place) const {
  const Vector3 s = seen(place);
  Vector3 itrf{};
  for (std::size_t i = 0; i < 3; ++i)
    itrf[i] = turn_[0][i] * s[0] + turn_[1][i] * s[1] + turn_[2][i] * s[2];
  return itrf;
}

SkyPlace EarthAt::of_date(const SkyPlace& place) const {
  return place_of(direction(place), sidereal_);
}

SkyPlace EarthAt::from_date(const SkyPlace& apparent) const {
  return place(vector_of({apparent.right_ascension - sidereal_, apparent.declination}));
}

SkyPlace EarthAt::zenith(const Vector3& itrf) const { return place(normal(itrf)); }

Vector3 EarthAt::uvw(const Vector3& itrf, const SkyPlace& centre) const {
  const Vector3 b = to_sky(itrf), w = seen(centre);
  const double ra = std::atan2(w[1], w[0]), cos_dec = std::hypot(w[0], w[1]);
  const double outward = std::cos(ra) * b[0] + std::sin(ra) * b[1];
  return {-std::sin(ra) * b[0] + std::cos(ra) * b[1], -w[2] * outward + cos_dec * b[2],
          w[0] * b[0] + w[1] * b[1] + w[2] * b[2]};
}

double greenwich_sidereal_degrees(double mjd_ut1) {
  const double t = centuries(mjd_ut1);
  const Angles a(t);
  const double precession = 0.014506 + 4612.156534 * t + 1.3915817 * t * t;
  const double nutation = -17.206 * std::sin(a.node) - 1.317 * std::sin(a.twice_sun) -
                          0.227 * std::sin(a.twice_moon) + 0.207 * std::sin(2 * a.node);
  const double equinoxes = nutation * std::cos((23.4393 - 0.013 * t) * kDegree);
  const double degrees = earth_rotation(mjd_ut1) / kDegree + (precession + equinoxes) / 3600;
  return std::fmod(std::fmod(degrees, 360) + 360, 360);
}

}  // namespace tessera
