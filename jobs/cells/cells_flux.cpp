// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_flux.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numbers>

#include "tessera/crop.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

struct Way {
  double x = 0, y = 0;
};

// The mean direction of the cells; none if they do not move, or if their motions cancel.
std::optional<Way> way_of(const CellsFilmResult& result,
                          const std::vector<std::vector<SpotMotion>>& motion) {
  if (result.options.flow) {
    const double angle = *result.options.flow * std::numbers::pi / 180;
    return Way{std::cos(angle), std::sin(angle)};
  }
  Way sum;
  double longest = 0;
  for (const auto& track : motion) {
    const double x = track.back().x - track.front().x, y = track.back().y - track.front().y;
    sum = {sum.x + x, sum.y + y};
    longest = std::max(longest, std::hypot(x, y));
  }
  const double length = std::hypot(sum.x, sum.y);
  constexpr double kSomewhere = 1;  // pixel; less is noise
  if (longest < kSomewhere || length < kSomewhere) return std::nullopt;
  return Way{sum.x / length, sum.y / length};
}

// "1,2,30x40"; nothing if a part of it is not a number.
std::vector<double> numbers_in(const std::string& text) {
  std::vector<double> numbers;
  const char* at = text.data();
  const char* end = at + text.size();
  while (at < end) {
    const auto [stop, error] = std::from_chars(at, end, numbers.emplace_back());
    const bool goes_on = stop < end - 1 && (*stop == ',' || *stop == 'x');
    if (error != std::errc() || (stop < end && !goes_on)) return {};
    at = stop < end ? stop + 1 : end;
  }
  return numbers;
}

// So long that no cell of the frame passes its ends.
CellsFlux line_across(Way way, const SpotMotion& middle, double reach) {
  return {middle.x - reach * way.y, middle.y + reach * way.x, middle.x + reach * way.y,
          middle.y - reach * way.x};
}

// Twice the area of the triangle; its sign is the side of the line from a to b.
double side(double ax, double ay, double bx, double by, const SpotMotion& p) {
  return (bx - ax) * (p.y - ay) - (by - ay) * (p.x - ax);
}

// 1 or -1 for a step across the line, by its direction; a position on the line counts as being
// across.
int crossing(const CellsFlux& line, const SpotMotion& from, const SpotMotion& to) {
  const bool before = side(line.x1, line.y1, line.x2, line.y2, from) < 0;
  const bool after = side(line.x1, line.y1, line.x2, line.y2, to) < 0;
  if (before == after) return 0;
  const SpotMotion first{line.x1, line.y1}, second{line.x2, line.y2};
  const bool left = side(from.x, from.y, to.x, to.y, first) < 0;
  const bool right = side(from.x, from.y, to.x, to.y, second) < 0;
  return left == right ? 0 : before ? 1 : -1;
}

}  // namespace

std::optional<CellsFlux> flux_line_of(const std::string& text) {
  if (text == "auto") return std::nullopt;
  const std::vector<double> ends = numbers_in(text);
  const bool four = ends.size() == 4 && text.find('x') == std::string::npos;
  const double length = four ? std::hypot(ends[2] - ends[0], ends[3] - ends[1]) : 0;
  if (!four || !std::isfinite(length))
    throw Error(
        ErrorKind::usage,
        fmt::format("cells: flux-line '{}' is not a line; write X1,Y1,X2,Y2 or auto", text));
  if (length == 0)
    throw Error(ErrorKind::usage,
                fmt::format("cells: flux-line {} has no length; give two different ends", text));
  return CellsFlux{ends[0], ends[1], ends[2], ends[3]};
}

SpotMotion flux_middle(const CellsFilmResult& result) {
  const Size frame{result.film.width, result.film.height};
  Crop crop{frame.width, frame.height, Point{}};
  if (result.options.crop != "auto") from_text("cells: crop", result.options.crop, crop);
  const auto [x, y] = crop.corner_in(frame);
  return {.x = x + (crop.width - 1) / 2.0, .y = y + (crop.height - 1) / 2.0};
}

std::optional<CellsFlux> measure_flux(const CellsFilmResult& result,
                                      const std::vector<std::vector<SpotMotion>>& motion) {
  std::optional<CellsFlux> flux = flux_line_of(result.measure.flux_line);
  if (!flux) {
    const std::optional<Way> way = way_of(result, motion);
    if (!way) return std::nullopt;
    flux = line_across(*way, flux_middle(result), result.film.width + result.film.height);
  }
  for (const auto& track : motion) {
    int net = 0;
    for (std::size_t k = 1; k < track.size(); ++k) net += crossing(*flux, track[k - 1], track[k]);
    if (net != 0) ++flux->crossings;
  }
  const double minutes = result.calibration.seconds(result.film.frames) / 60;
  flux->per_minute = minutes > 0 ? flux->crossings / minutes : 0;
  return flux;
}

}  // namespace tessera
