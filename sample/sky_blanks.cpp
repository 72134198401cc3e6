// SPDX-License-Identifier: Apache-2.0
#include "sample/sky_blanks.hpp"

#include <algorithm>
#include <limits>

#include "sample/random.hpp"

namespace tessera {
namespace {

constexpr int kDiscsASpot = 3;
constexpr double kBlank = std::numeric_limits<double>::quiet_NaN();

}  // namespace

SkyBlanks::SkyBlanks(const Size& size, std::uint64_t seed, const SkyOptions& options)
    : size_(size), margin_(options.margin) {
  const double radius = options.field_of_view * std::min(size.width, size.height) / 2.0;
  seen_ = {(size.width - 1) / 2.0, (size.height - 1) / 2.0, radius * radius};
  Random random{seed, 54};
  for (int hole = 0; hole < options.holes; ++hole) {
    const double x = random.between(0, size.width - 1), y = random.between(0, size.height - 1);
    for (int disc = 0; disc < kDiscsASpot; ++disc) {
      const double part = options.hole_size / 2 * random.between(0.5, 1);
      const double right = random.between(-part, part), down = random.between(-part, part);
      holes_.push_back({x + right / 2, y + down / 2, part * part});
    }
  }
}

double SkyBlanks::Disc::squared_distance(int column, int row) const {
  return (column - x) * (column - x) + (row - y) * (row - y);
}

bool SkyBlanks::outside(int column, int row) const {
  return column < margin_ || column >= size_.width - margin_ || row < margin_ ||
         row >= size_.height - margin_ ||
         (seen_.squared_radius > 0 && seen_.squared_distance(column, row) > seen_.squared_radius);
}

void SkyBlanks::blank(int row, std::vector<double>& values) const {
  std::vector<Disc> near;
  for (const Disc& hole : holes_)
    if ((row - hole.y) * (row - hole.y) <= hole.squared_radius) near.push_back(hole);
  for (int x = 0; x < size_.width; ++x) {
    const auto covers = [&](const Disc& hole) {
      return hole.squared_distance(x, row) <= hole.squared_radius;
    };
    if (outside(x, row) || std::ranges::any_of(near, covers))
      values[static_cast<std::size_t>(x)] = kBlank;
  }
}

}  // namespace tessera
