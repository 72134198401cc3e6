// SPDX-License-Identifier: Apache-2.0
#include "sample/points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.hpp"
#include "sample/exact_math.hpp"
#include "sample/gaussian_pair.hpp"
#include "sample/points_place.hpp"
#include "sample/random.hpp"
#include "sample/sample_checks.hpp"
#include "sample/store_row.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Values further out are less than 2e-8 of the peak.
constexpr double kReachInSigmas = 6;
constexpr int kPointRows = 16;

void check(const Size& size, const PointsOptions& o) {
  check_one_plane("points", size);
  check_ranges("points", o);
  if (o.flux_low > o.flux_high)
    throw Error(ErrorKind::usage,
                fmt::format("points: flux-low is {}; it can be up to flux-high, {}", o.flux_low,
                            o.flux_high));
}

constexpr auto kPointsName = []<class T>(double value) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(
        std::lround(std::clamp(value, 0.0, double{std::numeric_limits<T>::max()})));
  else
    return static_cast<T>(value);
};

}  // namespace

Points::Points(Size size, std::uint64_t seed, Type type, const PointsOptions& options, int threads)
    : info_{size, type, kHost},
      seed_(seed),
      options_(options),
      threads_(threads > 0 ? threads : available_threads()) {
  check(size, options);
  truth_ = place_points(size, seed, options);
}

void Points::read(Rows rows, AnyMutableView to) {
  const int pieces = (rows.count() + kPointRows - 1) / kPointRows;
  parallel_for(pieces, threads_, [&](int piece) {
    const int first = rows.first + piece * kPointRows;
    for (int row = first; row < std::min(rows.end, first + kPointRows); ++row)
      store_row(row_values(row), to, row - rows.first, kPointsName);
  });
}

std::vector<double> Points::row_values(int row) const {
  std::vector<double> values(static_cast<size_t>(info_.size.width), options_.background);
  if (options_.noise > 0) {
    Random random{seed_, 2, static_cast<std::uint64_t>(row)};
    for (double& value : values) value += options_.noise * gaussian_pair(random).first;
  }
  constexpr double kTwoPi = 6.283185307179586476925286766559;
  const double variance = options_.sigma * options_.sigma, reach = kReachInSigmas * options_.sigma;
  auto source = std::ranges::lower_bound(truth_, row - reach, {}, &PointSource::y);
  for (; source != truth_.end() && source->y <= row + reach; ++source) {
    const double dy = row - source->y;
    const double peak = source->flux / (kTwoPi * variance) * exp_of_minus(dy * dy / (2 * variance));
    const int first = std::max(0, static_cast<int>(std::ceil(source->x - reach)));
    const int last =
        std::min(info_.size.width - 1, static_cast<int>(std::floor(source->x + reach)));
    for (int x = first; x <= last; ++x) {
      const double dx = x - source->x;
      values[static_cast<size_t>(x)] += peak * exp_of_minus(dx * dx / (2 * variance));
    }
  }
  return values;
}

std::string truth_as_csv(const std::vector<PointSource>& truth) {
  std::string text = "x,y,flux\n";
  for (const PointSource& source : truth)
    text += fmt::format("{},{},{}\n", source.x, source.y, source.flux);
  return text;
}

}  // namespace tessera
