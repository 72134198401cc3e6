// SPDX-License-Identifier: Apache-2.0
#include "jobs/sky_wcs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/refuse.hpp"

namespace tessera {
namespace {

constexpr double kOneDegree = std::numbers::pi / 180;

double sin_of(double degrees) { return std::sin(degrees * kOneDegree); }
double cos_of(double degrees) { return std::cos(degrees * kOneDegree); }
double angle_of(double y, double x) { return std::atan2(y, x) / kOneDegree; }

/// Longitude and latitude in another frame whose pole lies at `pole` of this one, `own_pole` being
/// the longitude of this frame's pole there (Calabretta and Greisen, equations 2 and 5).
std::pair<double, double> seen_from(double longitude, double latitude, SkyPoint pole, double zero,
                                    double own_pole) {
  const double turn = longitude - zero;
  const double x = sin_of(latitude) * cos_of(pole.latitude) -
                   cos_of(latitude) * sin_of(pole.latitude) * cos_of(turn);
  const double y = -cos_of(latitude) * sin_of(turn);
  const double z = sin_of(latitude) * sin_of(pole.latitude) +
                   cos_of(latitude) * cos_of(pole.latitude) * cos_of(turn);
  return {own_pole + angle_of(y, x), angle_of(z, std::hypot(x, y))};
}

double within(double degrees, double low) {
  degrees = std::fmod(degrees - low, 360);
  return low + (degrees < 0 ? degrees + 360 : degrees);
}

double unit_degrees(const std::string& unit) {
  if (unit == "arcsec") return 1.0 / 3600;
  if (unit == "arcmin") return 1.0 / 60;
  return unit == "rad" ? 1 / kOneDegree : 1;
}

bool is_longitude(const std::string& type) {
  return type.starts_with("RA") || type.find("LON") == 1 || type.find("LN") == 2;
}

}  // namespace

SkyWcs::SkyWcs(const std::string& path, const HeaderCards& header, int x_axis, int y_axis) {
  const auto key = [](const char* stem, int axis) { return fmt::format("{}{}", stem, axis); };
  std::string types[2] = {header.text(key("CTYPE", x_axis)), header.text(key("CTYPE", y_axis))};
  int axes[2] = {x_axis, y_axis};
  if (!is_longitude(types[0])) {
    std::swap(types[0], types[1]);
    std::swap(axes[0], axes[1]);
  }
  if (!is_longitude(types[0]) || types[0].size() < 8 || types[1].size() < 8)
    refuse_input(path,
                 "its header does not say where its pixels lie on the sky (CTYPE); give places as "
                 "pixels, in columns x and y");
  frame_ = sky_frame_of(path, header, types[0]);
  const std::string code = types[1].substr(5, 3);
  if (types[1].size() > 8 || types[0].substr(5) != types[1].substr(5) || header.has("A_ORDER") ||
      header.has("CPDIS1") || header.has("CQDIS1"))
    refuse_input(path, fmt::format("its axes are {} and {}, with a distortion that is not known; "
                                   "projections without one can be used",
                                   types[0], types[1]));
  double first = header.number(fmt::format("PV{}_1", axes[1])).value_or(0),
         second = header.number(fmt::format("PV{}_2", axes[1])).value_or(0);
  double zero[2] = {};
  for (int i = 0; i < 2; ++i)
    zero[i] = header.number(key("CRVAL", axes[i])).value_or(0) *
              unit_degrees(header.text(key("CUNIT", axes[i])));
  if (code == "NCP") first = 0, second = cos_of(zero[1]) / sin_of(zero[1]);
  projection_ = SkyProjection::of(code, first, second);
  if (!projection_ || !std::isfinite(second))
    refuse_input(path, fmt::format("its projection is {}; places can be found in {}", code,
                                   fmt::join(SkyProjection::codes(), ", ")));
  find_pole(zero[0], zero[1], header, axes[0], path);

  reference_[0] = header.number(key("CRPIX", x_axis)).value_or(0);
  reference_[1] = header.number(key("CRPIX", y_axis)).value_or(0);
  const int pixel_axes[2] = {x_axis, y_axis};
  const double roll = header.number(key("CROTA", axes[1])).value_or(0);
  const auto pair = [](const char* stem, int i, int j) {
    return fmt::format("{}{}_{}", stem, i, j);
  };
  bool has_cd = false, has_pc = false;
  for (const int i : axes)
    for (const int j : axes) {
      has_cd |= header.has(pair("CD", i, j));
      has_pc |= header.has(pair("PC", i, j));
    }
  for (int i = 0; i < 2; ++i) {
    const double step = header.number(key("CDELT", axes[i])).value_or(1);
    for (int j = 0; j < 2; ++j) {
      const bool same = axes[i] == pixel_axes[j];
      double value = 0;
      if (has_cd) {
        value = header.number(pair("CD", axes[i], pixel_axes[j])).value_or(0);
      } else if (has_pc || roll == 0) {
        value = step * header.number(pair("PC", axes[i], pixel_axes[j])).value_or(same ? 1 : 0);
      } else {
        // CROTA turns the plane after the steps (their section 6.1).
        const double other = header.number(key("CDELT", pixel_axes[j])).value_or(1);
        value = same ? step * cos_of(roll) : (i == 0 ? -1 : 1) * other * sin_of(roll);
      }
      steps_[i][j] = value * unit_degrees(header.text(key("CUNIT", axes[i])));
    }
  }
  if (!(std::abs(steps_[0][0] * steps_[1][1] - steps_[0][1] * steps_[1][0]) > 0))
    refuse_input(path, "its pixels have no size on the sky (CDELT, PC or CD)");
}

// The pole from the reference point (equations 8 to 10).
void SkyWcs::find_pole(double longitude, double latitude, const HeaderCards& header,
                       int longitude_axis, const std::string& path) {
  const double native = projection_->is_zenithal() ? 90 : 0;
  const auto given = [&](const char* keyword, int parameter) {
    const auto own = header.number(fmt::format("PV{}_{}", longitude_axis, parameter));
    return own ? own : header.number(keyword);
  };
  for (const int parameter : {0, 1, 2})
    if (header.number(fmt::format("PV{}_{}", longitude_axis, parameter)).value_or(0) != 0)
      refuse_input(path, fmt::format("its PV{}_{} moves the reference point of the projection, "
                                     "which is not known here",
                                     longitude_axis, parameter));
  pole_longitude_ = given("LONPOLE", 3).value_or(latitude >= native ? 0 : 180);
  if (projection_->is_zenithal()) {
    pole_ = {longitude, latitude};
    return;
  }
  const double wanted = given("LATPOLE", 4).value_or(90);
  const double middle = angle_of(0, cos_of(pole_longitude_));
  const double ratio = sin_of(latitude) / std::abs(cos_of(pole_longitude_));
  if (!(std::abs(ratio) <= 1 + 1e-12))
    refuse_input(path, fmt::format("its LONPOLE of {} does not fit its latitude of {}",
                                   pole_longitude_, latitude));
  const double apart = std::acos(std::clamp(ratio, -1.0, 1.0)) / kOneDegree;
  double best = 1000;
  for (const double candidate : {middle + apart, middle - apart}) {
    const double value = within(candidate, -180);
    if (std::abs(value) <= 90 + 1e-9 && std::abs(value - wanted) < std::abs(best - wanted))
      best = value;
  }
  if (best > 999) refuse_input(path, "its LONPOLE and LATPOLE fit no pole of the projection");
  double pole = 0;
  if (90 - std::abs(latitude) < 1e-9) {
    pole = longitude;
  } else if (90 - best < 1e-9) {
    pole = longitude + pole_longitude_ - 180;
  } else if (90 + best < 1e-9) {
    pole = longitude - pole_longitude_;
  } else {
    const double y = sin_of(pole_longitude_) / cos_of(latitude);
    const double x = -sin_of(best) * sin_of(latitude) / (cos_of(best) * cos_of(latitude));
    pole = longitude - angle_of(y, x);
  }
  pole_ = {pole, best};
}

NativePoint SkyWcs::native_of(SkyPoint place) const {
  const auto [phi, theta] =
      seen_from(place.longitude, place.latitude, pole_, pole_.longitude, pole_longitude_);
  return {within(phi, -180), theta};
}

SkyPoint SkyWcs::celestial_of(NativePoint native) const {
  const auto [longitude, latitude] =
      seen_from(native.longitude, native.latitude, pole_, pole_longitude_, pole_.longitude);
  return {within(longitude, 0), latitude};
}

std::optional<SkyPixel> SkyWcs::pixel_of(SkyPoint icrs) const {
  const std::optional<PlanePoint> plane = projection_->project(native_of(from_icrs(icrs, frame_)));
  if (!plane) return std::nullopt;
  const double size = steps_[0][0] * steps_[1][1] - steps_[0][1] * steps_[1][0];
  return SkyPixel{(steps_[1][1] * plane->x - steps_[0][1] * plane->y) / size + reference_[0] - 1,
                  (steps_[0][0] * plane->y - steps_[1][0] * plane->x) / size + reference_[1] - 1};
}

std::optional<SkyPoint> SkyWcs::place_of(SkyPixel pixel) const {
  const double x = pixel.x + 1 - reference_[0], y = pixel.y + 1 - reference_[1];
  const std::optional<NativePoint> native = projection_->deproject(
      {steps_[0][0] * x + steps_[0][1] * y, steps_[1][0] * x + steps_[1][1] * y});
  if (!native) return std::nullopt;
  return to_icrs(celestial_of(*native), frame_);
}

}  // namespace tessera
