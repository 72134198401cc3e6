// SPDX-License-Identifier: Apache-2.0
// From options to the checked problem.
#include "ops/noise/rank/rank_problem.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/check.hpp"
#include "core/refuse.hpp"
#include "core/samples.hpp"
#include "core/value_outside.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

constexpr int kMostSide = 1024;  // counts of larger windows would not fit everywhere

/// A value as a sample of the type, in double.
double rounded_to(Type type, double value) {
  Image one({1, 1}, type);
  store_sample(one.view(), 0, 0, 0, 0, value);
  return sample_at(one.view(), 0, 0, 0, 0);
}

void read_where(RankProblem& p, const ImageInfo& image, Border border, double constant,
                int device) {
  check_image(p.operation, image);
  p.image = p.output = image;
  p.device = image.device == kHost ? device : image.device;
  if (border == Border::valid)
    refuse(p.operation,
           "border valid is not offered; it can be reflect, reflect-101, replicate, constant, "
           "wrap or inside");
  check_constant(p.operation, border, constant, image.type);
  // NaN do not count, which is border inside.
  p.border = std::isnan(constant) && border == Border::constant ? Border::inside : border;
  p.constant =
      std::isnan(constant) ? 0 : rounded_to(image.type, value_outside(image.type, constant));
}

void read_percentile(RankProblem& p, double percentile) {
  if (!(percentile >= -100 && percentile <= 100))
    refuse(p.operation,
           fmt::format("percentile {} is not offered; it can be -100 to 100", percentile));
  p.percent = percentile < 0 ? percentile + 100 : percentile;
}

void read_footprint(RankProblem& p, AnyView footprint) {
  p.footprint = footprint.size;
  p.depth = footprint.size.planes;
  if (p.depth > 1) p.anchor_plane = p.depth / 2;
  check_stencil(p.operation, "footprint", "pixel", footprint.only_plane(0));
  if (p.footprint.width > kMostSide || p.footprint.height > kMostSide)
    refuse(p.operation, fmt::format("the footprint is {}x{}; each side can be 1 to {} pixels",
                                    p.footprint.width, p.footprint.height, kMostSide));
  if (p.depth > kMostSide)
    refuse(p.operation,
           fmt::format("the footprint has {} planes; it can have 1 to {}", p.depth, kMostSide));
  const std::vector<double> values = samples_as_double(footprint);
  const int plane = p.footprint.width * p.footprint.height;
  for (int k = 0; k < std::ssize(values); ++k) {
    const double value = values[static_cast<std::size_t>(k)];
    const Point at{k % plane % p.footprint.width, k % plane / p.footprint.width};
    if (std::isnan(value))
      refuse(p.operation,
             fmt::format("the footprint's pixel at column {}, row {} is nan; it must be 0 or not",
                         at.x, at.y));
    if (value == 0) continue;
    p.pixels.push_back(at);
    if (p.depth > 1) p.planes.push_back(k / plane);
  }
  if (p.pixels.empty())
    refuse(p.operation,
           fmt::format("all {} pixels of the footprint are 0; at least one must not be",
                       values.size()));
}

/// Cuts empty rows and columns off the footprint's sides; the anchor moves along.
void trim_footprint(RankProblem& p) {
  Point first = p.pixels.front(), last = first;
  for (const Point at : p.pixels) {
    first = {std::min(first.x, at.x), std::min(first.y, at.y)};
    last = {std::max(last.x, at.x), std::max(last.y, at.y)};
  }
  for (Point& at : p.pixels) at = {at.x - first.x, at.y - first.y};
  p.width = last.x - first.x + 1;
  p.height = last.y - first.y + 1;
  p.anchor = {p.anchor.x - first.x, p.anchor.y - first.y};
}

void read_rank(RankProblem& p, const RankOptions& options) {
  if (options.rank && options.percentile)
    refuse(p.operation, fmt::format("rank {} and percentile {} are both given; leave out one",
                                    *options.rank, *options.percentile));
  if (options.percentile) return read_percentile(p, *options.percentile);
  if (!options.rank) return;
  const int n = p.count(), rank = *options.rank;
  if (rank < -n || rank >= n)
    refuse(p.operation, fmt::format("rank {} is not offered for {} pixels; it can be {} to {}",
                                    rank, n, -n, n - 1));
  p.percent = 100 * ((rank < 0 ? rank + n : rank) + 0.5) / n;  // the middle: never a place further
}

}  // namespace

RankProblem make_rank_problem(const ImageInfo& image, AnyView footprint,
                              const RankOptions& options) {
  RankProblem p;
  p.operation = options.rank || options.percentile ? "rank" : "median";
  read_where(p, image, options.border, options.constant, options.device);
  read_footprint(p, footprint);
  p.anchor = anchor_in(p.operation, "footprint", options.anchor, p.footprint);
  trim_footprint(p);
  read_rank(p, options);
  return p;
}

RankProblem make_box_problem(const ImageInfo& image, double percentile,
                             const PercentileOptions& options) {
  RankProblem p;
  p.operation = "percentile_filter";
  check_ranges(p.operation, options);
  read_where(p, image, options.border, options.constant, options.device);
  read_percentile(p, percentile);
  p.width = options.box.width;
  p.height = options.box.height;
  p.footprint = {p.width, p.height};
  p.anchor = {options.box.left(), options.box.above()};
  for (int j = 0; j < p.height; ++j)
    for (int i = 0; i < p.width; ++i) p.pixels.push_back({i, j});
  return p;
}

}  // namespace tessera
