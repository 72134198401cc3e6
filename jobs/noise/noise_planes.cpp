// SPDX-License-Identifier: Apache-2.0
#include "jobs/noise/noise_planes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace tessera {
namespace {

constexpr std::size_t kPlanesNamed = 8;

}  // namespace

void NoisePlanes::add(int plane, const NoiseSummary& summary) {
  NoisePlaneResult result{plane, summary.seen().image.blanks, {}};
  for (int map = 0; map < static_cast<int>(seen_.maps.size()); ++map)
    result.medians.push_back(summary.median(map));
  seen_.add(summary.seen());
  planes_.push_back(std::move(result));
}

double NoisePlanes::median(int map) const {
  std::vector<double> medians;
  for (const NoisePlaneResult& plane : planes_)
    if (!std::isnan(plane.medians[index(map)])) medians.push_back(plane.medians[index(map)]);
  if (medians.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::ranges::sort(medians);
  const std::size_t middle = medians.size() / 2;
  return medians.size() % 2 == 1 ? medians[middle] : (medians[middle - 1] + medians[middle]) / 2;
}

std::string NoisePlanes::blank_planes() const {
  std::vector<int> blank;
  for (const NoisePlaneResult& plane : planes_)
    if (plane.blanks == pixels_) blank.push_back(plane.plane);
  if (blank.empty() || planes_.size() == 1) return "";
  const std::size_t count = blank.size();
  const bool more = count > kPlanesNamed;
  if (more) blank.resize(kPlanesNamed);
  return fmt::format("{} of {} planes {} no valid pixel and {} NaN in the maps: {}{}", count,
                     planes_.size(), count == 1 ? "has" : "have", count == 1 ? "is" : "are",
                     fmt::join(blank, ", "), more ? " …" : "");
}

}  // namespace tessera
