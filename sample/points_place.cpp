// SPDX-License-Identifier: Apache-2.0
#include "sample/points_place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "sample/exact_math.hpp"
#include "sample/random.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Tries for one source before giving up; a field with room for it takes a few.
constexpr int kMostTries = 1000;

/// So that cells can be counted, however small the separation is.
constexpr double kLeastCell = 1e-9;

/// Cells as wide as the separation: only sources of neighbouring cells can be too close.
class Neighbours {
 public:
  explicit Neighbours(double separation)
      : separation_(separation), cell_(std::max(separation, kLeastCell)) {}

  bool too_near(const PointSource& source) const {
    if (separation_ == 0) return false;
    const auto [column, row] = cell(source);
    for (long long y = row - 1; y <= row + 1; ++y)
      for (long long x = column - 1; x <= column + 1; ++x) {
        const auto found = cells_.find({x, y});
        if (found != cells_.end() && near(source, found->second)) return true;
      }
    return false;
  }
  void add(const PointSource& source) {
    if (separation_ > 0) cells_[cell(source)].push_back(source);
  }

 private:
  std::pair<long long, long long> cell(const PointSource& source) const {
    return {static_cast<long long>(source.x / cell_), static_cast<long long>(source.y / cell_)};
  }
  bool near(const PointSource& source, const std::vector<PointSource>& others) const {
    return std::ranges::any_of(others, [&](const PointSource& other) {
      const double dx = source.x - other.x, dy = source.y - other.y;
      return dx * dx + dy * dy < separation_ * separation_;
    });
  }

  double separation_, cell_;
  std::map<std::pair<long long, long long>, std::vector<PointSource>> cells_;
};

/// The inverse of the power law cut at both ends.
double draw_flux(Random& random, const PointsOptions& o) {
  const double share_above = exp_of_minus(o.slope * log_of(o.flux_high / o.flux_low));
  const double share = 1 - random.unit() * (1 - share_above);
  return o.flux_low / exp_of_minus(-log_of(share) / o.slope);
}

}  // namespace

std::vector<PointSource> place_points(const Size& size, std::uint64_t seed,
                                      const PointsOptions& options) {
  Random random{seed, 1};
  Neighbours neighbours(options.separation);
  std::vector<PointSource> sources;
  while (static_cast<int>(sources.size()) < options.sources) {
    PointSource source;
    source.flux = draw_flux(random, options);
    int tries = 0;
    do {
      if (++tries > kMostTries)
        throw Error(
            ErrorKind::usage,
            fmt::format("points: only {} of {} sources fit in {}x{} pixels at a separation of "
                        "{}; give fewer or a smaller one",
                        sources.size(), options.sources, size.width, size.height,
                        options.separation));
      source.x = random.between(0, size.width - 1);
      source.y = random.between(0, size.height - 1);
    } while (neighbours.too_near(source));
    neighbours.add(source);
    sources.push_back(source);
  }
  std::ranges::sort(sources, [](const PointSource& a, const PointSource& b) {
    return std::tuple(a.y, a.x, a.flux) < std::tuple(b.y, b.x, b.flux);
  });
  return sources;
}

}  // namespace tessera
