// SPDX-License-Identifier: Apache-2.0
#include "jobs/sky_header.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "tessera/error.hpp"

namespace tessera {
namespace {

double degrees_per(const std::string& unit) {
  if (unit == "arcsec") return 1.0 / 3600;
  if (unit == "arcmin") return 1.0 / 60;
  return unit == "rad" ? 180 / std::numbers::pi : 1;
}

bool is_latitude(const std::string& type) {
  return type.starts_with("DEC") || type.find("LAT") != std::string::npos;
}

/// Length of an axis, counted from 1, of a plain or tiled image.
long long axis_length(const HeaderCards& header, int axis) {
  const std::string prefix = header.has("ZNAXIS") ? "Z" : "";
  const auto length = header.number(fmt::format("{}NAXIS{}", prefix, axis));
  return length ? static_cast<long long>(*length) : 1;
}

bool is_stokes(const HeaderCards& header, int axis) {
  return header.text(fmt::format("CTYPE{}", axis)).starts_with("STOKES");
}

/// Channel and polarisation of a plane: an axis that is not STOKES counts channels.
std::pair<int, int> place_of_plane(const HeaderCards& header, int plane) {
  std::pair<int, int> place{0, 0};
  long long rest = plane;
  for (int axis = 3; axis <= 4; ++axis) {
    const long long length = std::max(1LL, axis_length(header, axis));
    const int index = static_cast<int>(rest % length);
    rest /= length;
    if (length == 1) continue;
    (is_stokes(header, axis) ? place.second : place.first) = index;
  }
  return place;
}

std::optional<Beam> if_valid(const Beam& beam) {
  return beam.valid() ? std::optional(beam) : std::nullopt;
}

}  // namespace

std::optional<SkySteps> sky_steps(const HeaderCards& header) {
  const auto number = [&](const char* keyword, double otherwise) {
    return header.number(keyword).value_or(otherwise);
  };
  double m[2][2] = {};
  if (header.has("CD1_1") || header.has("CD2_2") || header.has("CD1_2") || header.has("CD2_1")) {
    m[0][0] = number("CD1_1", 0), m[0][1] = number("CD1_2", 0);
    m[1][0] = number("CD2_1", 0), m[1][1] = number("CD2_2", 0);
  } else if (header.has("CDELT1") && header.has("CDELT2")) {
    const double dx = number("CDELT1", 1), dy = number("CDELT2", 1);
    const bool turned =
        header.has("PC1_1") || header.has("PC1_2") || header.has("PC2_1") || header.has("PC2_2");
    const double turn = turned ? 0 : number("CROTA2", 0) * std::numbers::pi / 180;
    m[0][0] = dx * (turned ? number("PC1_1", 1) : std::cos(turn));
    m[0][1] = turned ? dx * number("PC1_2", 0) : -dy * std::sin(turn);
    m[1][0] = turned ? dy * number("PC2_1", 0) : dx * std::sin(turn);
    m[1][1] = dy * (turned ? number("PC2_2", 1) : std::cos(turn));
  } else {
    return std::nullopt;
  }
  for (int axis = 0; axis < 2; ++axis) {
    const double unit = degrees_per(header.text(fmt::format("CUNIT{}", axis + 1)));
    m[axis][0] *= unit, m[axis][1] *= unit;
  }
  if (is_latitude(header.text("CTYPE1"))) std::swap(m[0], m[1]);
  return SkySteps{m[0][0], m[0][1], m[1][0], m[1][1]};
}

std::string sky_difference(const HeaderCards& a, const std::string& name_a, const HeaderCards& b,
                           const std::string& name_b) {
  constexpr double kShare = 0.01;  // of a pixel
  const auto one = sky_steps(a), two = sky_steps(b);
  if (!one || !two) return "";
  const double side = std::sqrt(std::abs(one->east_x * one->north_y - one->east_y * one->north_x));
  const auto says = [&](const std::string& keyword, const std::string& left,
                        const std::string& right) {
    return fmt::format("{} is {} in {} and {} in {}", keyword, left, name_a, right, name_b);
  };
  for (const char* keyword : {"CTYPE1", "CTYPE2"}) {
    const std::string left = a.text(keyword), right = b.text(keyword);
    if (!left.empty() && !right.empty() && left != right) return says(keyword, left, right);
  }
  for (const char* keyword : {"CRVAL1", "CRVAL2", "CRPIX1", "CRPIX2"}) {
    const auto left = a.number(keyword), right = b.number(keyword);
    const double bound = keyword[2] == 'P' ? kShare : kShare * side;
    if (left && right && !(std::abs(*left - *right) <= bound))
      return says(keyword, fmt::format("{}", *left), fmt::format("{}", *right));
  }
  // Over the whole image, so that its last pixel moves by less than that share too.
  const double most =
      kShare * side / static_cast<double>(std::max(axis_length(a, 1), axis_length(a, 2)));
  const std::pair<double, double> steps[] = {{one->east_x, two->east_x},
                                             {one->east_y, two->east_y},
                                             {one->north_x, two->north_x},
                                             {one->north_y, two->north_y}};
  for (const auto& [left, right] : steps)
    if (!(std::abs(left - right) <= most))
      return says("the step of pixels", fmt::format("{:.6g} arcsec", 3600 * left),
                  fmt::format("{:.6g} arcsec", 3600 * right));
  return "";
}

std::vector<std::optional<Beam>> table_beams(const std::string& whose, const HeaderCards& header,
                                             const BeamTable& table, int planes) {
  std::map<std::pair<int, int>, Beam> known;
  for (const BeamRow& row : table.rows)
    known[{row.channel, row.polarisation}] = {row.major, row.minor, row.angle};
  std::vector<std::optional<Beam>> beams;
  for (int plane = 0; plane < planes; ++plane) {
    const auto [channel, polarisation] = place_of_plane(header, plane);
    auto found = known.find({channel, polarisation});
    if (found == known.end()) found = known.find({channel, 0});  // one beam for all polarisations
    if (found == known.end())
      throw Error(
          ErrorKind::input,
          fmt::format("{} has {} rows and none for channel {}; it must have one for every channel",
                      whose, table.rows.size(), channel));
    beams.push_back(if_valid(found->second));
  }
  return beams;
}

std::vector<std::optional<Beam>> plane_beams(const std::string& path, const ImageSource& file) {
  const HeaderCards header(file.header());
  const BeamTable table = file.beams();
  if (!table.wrong.empty()) throw Error(ErrorKind::input, table.wrong);
  const int planes = file.info().size.planes;
  if (!table.rows.empty()) return table_beams(path + ": its table BEAMS", header, table, planes);
  const auto major = header.number("BMAJ");
  if (!major) return {};
  const Beam beam{*major, header.number("BMIN").value_or(*major), header.number("BPA").value_or(0)};
  return std::vector<std::optional<Beam>>(static_cast<std::size_t>(planes), if_valid(beam));
}

bool like_beams(const Beam& a, const Beam& b) {
  const auto wider = [](const Beam& beam) {
    return Beam{1.01 * beam.major, 1.01 * beam.minor, beam.angle};
  };
  return deconvolve_beam(wider(a), b) && deconvolve_beam(wider(b), a);
}

std::string arcsec_text(const Beam& beam) {
  return fmt::format("{:.4g} x {:.4g} arcsec at {:.4g} degrees", 3600 * beam.major,
                     3600 * beam.minor, beam.angle);
}

}  // namespace tessera
