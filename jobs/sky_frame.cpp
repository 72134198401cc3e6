// SPDX-License-Identifier: Apache-2.0
#include "jobs/sky_frame.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

#include "core/refuse.hpp"

namespace tessera {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

using SkyVector = std::array<double, 3>;
using SkyTurn = std::array<SkyVector, 3>;

/// The frame is turned about an axis (0: x, 1: y, 2: z), the sense of IAU SOFA.
SkyTurn turn_about(int axis, double degrees) {
  const double c = std::cos(degrees * kDegree), s = std::sin(degrees * kDegree);
  const auto a = static_cast<std::size_t>((axis + 1) % 3),
             b = static_cast<std::size_t>((axis + 2) % 3);
  SkyTurn turn{};
  turn[static_cast<std::size_t>(axis)][static_cast<std::size_t>(axis)] = 1;
  turn[a][a] = turn[b][b] = c;
  turn[a][b] = s;
  turn[b][a] = -s;
  return turn;
}

SkyTurn after(const SkyTurn& second, const SkyTurn& first) {
  SkyTurn both{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) both[i][j] += second[i][k] * first[k][j];
  return both;
}

SkyTurn back(const SkyTurn& turn) {
  SkyTurn other{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) other[i][j] = turn[j][i];
  return other;
}

SkyPoint turned(SkyPoint place, const SkyTurn& turn) {
  const double a = place.longitude * kDegree, d = place.latitude * kDegree;
  const SkyVector from{std::cos(d) * std::cos(a), std::cos(d) * std::sin(a), std::sin(d)};
  SkyVector to{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) to[i] += turn[i][j] * from[j];
  double longitude = std::atan2(to[1], to[0]) / kDegree;
  if (longitude < 0) longitude += 360;
  return {longitude, std::atan2(to[2], std::hypot(to[0], to[1])) / kDegree};
}

/// FK5 has an offset of some hundredths of an arc second, known from Hipparcos (Feissel and Mignard
/// 1998): -19.9, 9.1 and -22.9 mas.
SkyTurn icrs_to_fk5() {
  constexpr double kMas = 1.0 / 3.6e6;
  return after(turn_about(0, 19.9 * kMas),
               after(turn_about(1, 9.1 * kMas), turn_about(2, -22.9 * kMas)));
}

/// The north Galactic pole and the longitude of the celestial pole, in FK5 of J2000: the IAU's
/// definition of 1958 for B1950, precessed.
SkyTurn fk5_to_galactic() {
  constexpr double kPoleRa = 192.8594812065348, kPoleDec = 27.12825118085622,
                   kPoleLongitude = 122.9319185680026;
  return after(turn_about(2, 180 - kPoleLongitude),
               after(turn_about(1, 90 - kPoleDec), turn_about(2, kPoleRa)));
}

const SkyTurn& turn_to(SkyFrame frame) {
  static const SkyTurn same = turn_about(2, 0), fk5 = icrs_to_fk5(),
                       galactic = after(fk5_to_galactic(), icrs_to_fk5());
  return frame == SkyFrame::icrs ? same : frame == SkyFrame::fk5 ? fk5 : galactic;
}

}  // namespace

SkyFrame sky_frame_of(const std::string& path, const HeaderCards& header,
                      const std::string& longitude_type) {
  if (longitude_type.starts_with("GLON")) return SkyFrame::galactic;
  if (!longitude_type.starts_with("RA"))
    refuse_input(path,
                 fmt::format("its pixels are in the frame of {}; places can be found in RA and "
                             "DEC, or GLON and GLAT",
                             longitude_type));
  const std::string frame =
      header.has("RADESYS") ? header.text("RADESYS") : header.text("RADECSYS");
  const auto equinox = header.has("EQUINOX") ? header.number("EQUINOX") : header.number("EPOCH");
  const bool is_2000 = !equinox || std::abs(*equinox - 2000) < 1e-6;
  if (frame == "ICRS" || (frame.empty() && !equinox)) return SkyFrame::icrs;
  if ((frame == "FK5" || frame.empty()) && is_2000) return SkyFrame::fk5;
  refuse_input(path,
               fmt::format("its RA and DEC are in {} of equinox {}; places can be found in ICRS "
                           "and FK5 of 2000",
                           frame.empty() ? "a frame" : frame, equinox.value_or(2000)));
}

SkyPoint from_icrs(SkyPoint place, SkyFrame to) { return turned(place, turn_to(to)); }
SkyPoint to_icrs(SkyPoint place, SkyFrame from) { return turned(place, back(turn_to(from))); }

}  // namespace tessera
