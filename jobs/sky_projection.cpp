// SPDX-License-Identifier: Apache-2.0
#include "jobs/sky_projection.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tessera {
namespace {

constexpr double kPerDegree = std::numbers::pi / 180;

double sine(double degrees) { return std::sin(degrees * kPerDegree); }
double cosine(double degrees) { return std::cos(degrees * kPerDegree); }
double arc_degrees(double y, double x) { return std::atan2(y, x) / kPerDegree; }
/// An arc sine whose argument may be out of bounds by rounding; nothing if it is more.
std::optional<double> arc_sine(double value) {
  if (!(std::abs(value) <= 1 + 1e-12)) return std::nullopt;
  return std::asin(std::clamp(value, -1.0, 1.0)) / kPerDegree;
}

}  // namespace

const std::vector<std::string>& SkyProjection::codes() {
  static const std::vector<std::string> all{"SIN", "TAN", "NCP", "ARC", "STG", "ZEA",
                                            "CAR", "SFL", "CEA", "MER", "AIT"};
  return all;
}

std::optional<SkyProjection> SkyProjection::of(const std::string& code, double first,
                                               double second) {
  if (code == "SIN" || code == "NCP") return SkyProjection(Code::sin, true, first, second);
  if (code == "TAN") return SkyProjection(Code::tan, true, 0, 0);
  if (code == "ARC") return SkyProjection(Code::arc, true, 0, 0);
  if (code == "STG") return SkyProjection(Code::stg, true, 0, 0);
  if (code == "ZEA") return SkyProjection(Code::zea, true, 0, 0);
  if (code == "CAR") return SkyProjection(Code::car, false, 0, 0);
  if (code == "SFL") return SkyProjection(Code::sfl, false, 0, 0);
  if (code == "CEA") return SkyProjection(Code::cea, false, first == 0 ? 1 : first, 0);
  if (code == "MER") return SkyProjection(Code::mer, false, 0, 0);
  if (code == "AIT") return SkyProjection(Code::ait, false, 0, 0);
  return std::nullopt;
}

// The slant of SIN (first_, second_) is that of an array that is not in the plane; NCP is one of
// these.
std::optional<PlanePoint> SkyProjection::project_zenithal(NativePoint native) const {
  const double phi = native.longitude, theta = native.latitude, from_pole = 90 - theta;
  if (code_ == Code::sin) {
    // The visible half of a slanted projection is tilted (their section 5.1.5).
    const double edge = -arc_degrees(first_ * sine(phi) - second_ * cosine(phi), 1);
    if (theta < edge) return std::nullopt;
    const double low = 2 * sine(from_pole / 2) * sine(from_pole / 2);  // 1 - sin theta, exactly
    return PlanePoint{(cosine(theta) * sine(phi) + first_ * low) / kPerDegree,
                      -(cosine(theta) * cosine(phi) - second_ * low) / kPerDegree};
  }
  double radius = 0;
  if (code_ == Code::tan) {
    if (!(theta > 0)) return std::nullopt;
    radius = cosine(theta) / sine(theta) / kPerDegree;
  } else if (code_ == Code::arc) {
    radius = from_pole;
  } else if (code_ == Code::stg) {
    if (!(theta > -90)) return std::nullopt;
    radius = 2 * std::tan(from_pole / 2 * kPerDegree) / kPerDegree;
  } else {
    radius = 2 * sine(from_pole / 2) / kPerDegree;
  }
  return PlanePoint{radius * sine(phi), -radius * cosine(phi)};
}

std::optional<PlanePoint> SkyProjection::project(NativePoint native) const {
  if (zenithal_) return project_zenithal(native);
  const double phi = native.longitude, theta = native.latitude;
  if (code_ == Code::car) return PlanePoint{phi, theta};
  if (code_ == Code::sfl) return PlanePoint{phi * cosine(theta), theta};
  if (code_ == Code::cea) return PlanePoint{phi, sine(theta) / first_ / kPerDegree};
  if (code_ == Code::mer) {
    if (!(std::abs(theta) < 90)) return std::nullopt;
    return PlanePoint{phi, std::log(std::tan((90 + theta) / 2 * kPerDegree)) / kPerDegree};
  }
  const double gamma = std::sqrt(2 / (1 + cosine(theta) * cosine(phi / 2))) / kPerDegree;
  return PlanePoint{2 * gamma * cosine(theta) * sine(phi / 2), gamma * sine(theta)};
}

// With u, v the plane in radians: cos theta sin phi = u - first low, -cos theta cos phi = v -
// second low, and the squares of these and of 1 - low add up to 1.
std::optional<NativePoint> SkyProjection::deproject_slant(PlanePoint plane) const {
  const double u = plane.x * kPerDegree, v = plane.y * kPerDegree;
  const double a = first_ * first_ + second_ * second_ + 1, b = u * first_ + v * second_ + 1,
               c = u * u + v * v;
  const double root = b * b - a * c;
  if (!(root >= 0)) return std::nullopt;
  const double low = c / (b + std::sqrt(root));  // the smaller solution: the near side
  const double x = u - first_ * low, y = v - second_ * low;
  return NativePoint{arc_degrees(x, -y), arc_degrees(1 - low, std::hypot(x, y))};
}

std::optional<NativePoint> SkyProjection::deproject_zenithal(PlanePoint plane) const {
  if (code_ == Code::sin) return deproject_slant(plane);
  const double radius = std::hypot(plane.x, plane.y);
  double theta = 0;
  if (code_ == Code::tan) {
    theta = arc_degrees(1, radius * kPerDegree);
  } else if (code_ == Code::arc) {
    if (radius > 180) return std::nullopt;
    theta = 90 - radius;
  } else if (code_ == Code::stg) {
    theta = 90 - 2 * arc_degrees(radius * kPerDegree / 2, 1);
  } else {
    const std::optional<double> half = arc_sine(radius * kPerDegree / 2);
    if (!half) return std::nullopt;
    theta = 90 - 2 * *half;
  }
  return NativePoint{radius > 0 ? arc_degrees(plane.x, -plane.y) : 0, theta};
}

std::optional<NativePoint> SkyProjection::deproject(PlanePoint plane) const {
  if (zenithal_) return deproject_zenithal(plane);
  const double x = plane.x, y = plane.y;
  std::optional<double> theta = y;
  double phi = x;
  if (code_ == Code::sfl) {
    phi = cosine(y) > 0 ? x / cosine(y) : 0;
  } else if (code_ == Code::cea) {
    theta = arc_sine(y * kPerDegree * first_);
  } else if (code_ == Code::mer) {
    theta = 2 * arc_degrees(std::exp(y * kPerDegree), 1) - 90;
  } else if (code_ == Code::ait) {
    const double u = x * kPerDegree / 4, v = y * kPerDegree / 2, rest = 1 - u * u - v * v;
    if (!(rest >= 0.5 - 1e-12)) return std::nullopt;
    const double z = std::sqrt(rest);
    phi = 2 * arc_degrees(2 * z * u, 2 * z * z - 1);
    theta = arc_sine(2 * v * z);
  }
  if (!theta || !(std::abs(*theta) <= 90) || !(std::abs(phi) <= 180 + 1e-9)) return std::nullopt;
  return NativePoint{phi, *theta};
}

}  // namespace tessera
