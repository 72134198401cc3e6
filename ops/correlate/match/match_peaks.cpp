// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "core/counted.hpp"
#include "core/refuse.hpp"
#include "core/stop.hpp"
#include "tessera/match_template.hpp"

namespace tessera {
namespace {

/// At least as high as its eight neighbours; those that are NaN or outside do not count.
template <class T>
bool is_top(const View<const T>& map, int plane, int x, int y) {
  const T value = map.at(x, y, 0, plane);
  const int left = std::max(0, x - 1), right = std::min(map.size.width - 1, x + 1);
  for (int j = std::max(0, y - 1); j <= std::min(map.size.height - 1, y + 1); ++j)
    for (int i = left; i <= right; ++i)
      if (map.at(i, j, 0, plane) > value) return false;
  return true;
}

/// All of them, or only those that are higher than all before, if one is wanted.
template <class T>
std::vector<MatchPeak> tops(const View<const T>& map, const PeakOptions& options) {
  std::vector<MatchPeak> found;
  for (int plane = 0; plane < map.size.planes; ++plane)
    for (int y = 0; y < map.size.height; ++y) {
      poll_stop();
      for (int x = 0; x < map.size.width; ++x) {
        const double value = map.at(x, y, 0, plane);
        if (!(value >= options.threshold)) continue;
        const bool lower = options.count == 1 && !found.empty() && value <= found.back().value;
        if (!lower && is_top(map, plane, x, y)) found.push_back({x, y, plane, value});
      }
    }
  std::ranges::stable_sort(found, std::ranges::greater(), &MatchPeak::value);
  return found;
}

}  // namespace

std::vector<MatchPeak> match_peaks(AnyView map, const PeakOptions& options) {
  check_ranges("match", options);
  if (map.device != kHost || map.size.channels != 1 || is_integer(map.type))
    refuse("match", fmt::format("the map is {} with {}{}; peaks are looked for in maps of f32 or "
                                "f64 with one channel, in host memory",
                                name_of(map.type), counted(map.size.channels, "channel"),
                                map.device == kHost ? "" : " on a device"));
  const std::vector<MatchPeak> all = map.type == Type::f32 ? tops(map.as<const float>(), options)
                                                           : tops(map.as<const double>(), options);
  std::vector<MatchPeak> peaks;
  for (const MatchPeak& top : all) {
    if (std::ssize(peaks) == options.count) break;
    const bool near = std::ranges::any_of(peaks, [&](const MatchPeak& peak) {
      return peak.plane == top.plane && std::abs(peak.x - top.x) <= options.distance &&
             std::abs(peak.y - top.y) <= options.distance;
    });
    if (!near) peaks.push_back(top);
  }
  return peaks;
}

}  // namespace tessera
