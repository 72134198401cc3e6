// SPDX-License-Identifier: Apache-2.0
#include "jobs/correlate/profiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tessera/error.hpp"
#include "tessera/options.hpp"

namespace tessera {
namespace {

constexpr double kHair = 1e-9;  // cos 90 degrees is 6e-17: treated as 0

double snapped(double value) {
  return std::abs(value - std::round(value)) < kHair ? std::round(value) : value;
}

struct Direction {
  double x, y;
};
Direction direction_of(double degrees) {
  const double turn = degrees * std::numbers::pi / 180;
  return {snapped(std::cos(turn)), snapped(std::sin(turn))};
}

}  // namespace

MapProfiles::MapProfiles(Size map, Point first_shift, int max_shift,
                         const std::vector<double>& angles)
    : map_(map), first_shift_(first_shift), max_shift_(max_shift) {
  add_rings();
  for (const double degrees : angles) add_direction(degrees);
}

void MapProfiles::add_rings() {
  ProfileCurve curve{"radial", std::vector<int>(static_cast<std::size_t>(max_shift_))};
  for (int y = 0; y < map_.height; ++y)
    for (int x = 0; x < map_.width; ++x) {
      const double length = std::hypot(x + first_shift_.x, y + first_shift_.y);
      const int ring = std::min(static_cast<int>(std::lround(length)), max_shift_);
      rings_.push_back(ring);
      if (ring < max_shift_) ++curve.counts[static_cast<std::size_t>(ring)];
    }
  curves_.push_back(std::move(curve));
}

void MapProfiles::add_direction(double degrees) {
  const auto [along_x, along_y] = direction_of(degrees);
  for (int r = 0; r < max_shift_; ++r) {
    const double x = snapped(r * along_x - first_shift_.x),
                 y = snapped(r * along_y - first_shift_.y);
    const int left = static_cast<int>(std::floor(x)), top = static_cast<int>(std::floor(y));
    const int right = std::min(left + 1, map_.width - 1),
              below = std::min(top + 1, map_.height - 1);
    const double u = x - left, v = y - top;
    corners_.insert(corners_.end(), {{left, top, (1 - u) * (1 - v)},
                                     {right, top, u * (1 - v)},
                                     {left, below, (1 - u) * v},
                                     {right, below, u * v}});
  }
  curves_.push_back(
      {to_text(degrees) + " degrees", std::vector<int>(static_cast<std::size_t>(max_shift_), 1)});
}

void MapProfiles::measure(const View<const float>& map, double* to) const {
  std::vector<double> sums(static_cast<std::size_t>(max_shift_) + 1);
  const int* ring = rings_.data();
  for (int y = 0; y < map_.height; ++y)
    for (int x = 0; x < map_.width; ++x) sums[static_cast<std::size_t>(*ring++)] += map.at(x, y);
  for (int r = 0; r < max_shift_; ++r)
    *to++ = sums[static_cast<std::size_t>(r)] / curves_[0].counts[static_cast<std::size_t>(r)];
  for (std::size_t i = 0; i < corners_.size(); i += 4) {
    double value = 0;
    for (std::size_t k = i; k < i + 4; ++k)
      if (corners_[k].weight > 0)
        value += corners_[k].weight * map.at(corners_[k].x, corners_[k].y);
    *to++ = value;
  }
}

std::vector<double> profile_angles(const std::string& text, Quadrants quadrants) {
  if (text == "auto")
    return quadrants == Quadrants::all ? std::vector<double>{0, 45, 90, 135}
                                       : std::vector<double>{0, 45, 90};
  std::vector<double> angles;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    double degrees = 0;
    from_text("--angles", text.substr(start, comma - start), degrees);
    const auto [x, y] = direction_of(degrees);
    if (!std::isfinite(degrees) || (quadrants == Quadrants::one && (x < 0 || y < 0)))
      throw Error(ErrorKind::usage,
                  fmt::format("--angles: {} degrees are not among the shifts right and down, 0 to "
                              "90; give --quadrants all",
                              degrees));
    angles.push_back(degrees);
    start = comma + 1;
  }
  return angles;
}

}  // namespace tessera
