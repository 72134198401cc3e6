// SPDX-License-Identifier: Apache-2.0
#include "ops/noise/noise_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "core/counted.hpp"
#include "core/refuse.hpp"
#include "core/rows.hpp"
#include "core/samples.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

void read_image(NoiseProblem& p, const ImageInfo& image, int device) {
  check_image(p.operation, image);
  if (image.size.channels != 1 || image.size.planes != 1)
    refuse(p.operation, fmt::format("the image has {} and {}; it needs one of each",
                                    counted(image.size.channels, "channel"),
                                    counted(image.size.planes, "plane")));
  p.image = p.output = image;
  p.device = image.device == kHost ? device : image.device;
}

void read_border(NoiseProblem& p, Border border) {
  if (border == Border::valid || border == Border::constant || border == Border::wrap)
    refuse(p.operation,
           fmt::format("border {} is not offered; it can be inside, reflect, reflect-101 or "
                       "replicate",
                       name_of(border)));
  p.border = border;
}

void read_bins(NoiseProblem& p, const NoiseOptions& options) {
  if (options.bins != NoiseOptions().bins && options.mode != NoiseMode::binned)
    refuse(p.operation, fmt::format("{} bins are asked for, but the mode is {}; give mode binned",
                                    options.bins, name_of(options.mode)));
  p.bins = options.bins;
}

/// Combinations that are refused, with one sentence each.
void check_estimator(const NoiseProblem& p, const NoiseOptions& options) {
  const bool quantiles = !options.quantiles.orders.empty();
  const std::string_view estimator = name_of(options.estimator);
  if (options.estimator != NoiseEstimator::iqr && options.mode == NoiseMode::binned)
    refuse(p.operation,
           fmt::format("estimator {} needs every value of a box, and mode binned keeps their "
                       "histogram alone; give estimator iqr, or mode exact or grid",
                       estimator));
  if (options.estimator != NoiseEstimator::iqr && quantiles)
    refuse(p.operation,
           fmt::format("estimator {} makes a background and a noise, and quantiles are asked "
                       "for; leave out one of them",
                       estimator));
  if (options.estimator != NoiseEstimator::iqr && options.normal)
    refuse(p.operation,
           fmt::format("normal is about quartiles, but the estimator is {}; give estimator iqr, "
                       "or leave out normal",
                       estimator));
  if ((options.two_pass || options.normal) && quantiles)
    refuse(p.operation,
           fmt::format("{} is about the noise, and quantiles are asked for; leave out one of them",
                       options.two_pass ? "two-pass" : "normal"));
}

void check_orders(const NoiseProblem& p, const std::vector<double>& orders) {
  if (std::ssize(orders) > kMostNoiseQuantiles)
    refuse(p.operation, fmt::format("{} quantiles are given; there can be up to {}", orders.size(),
                                    kMostNoiseQuantiles));
}

/// Orders ascend and appear once; planes follow the order requested.
void plan_quantiles(NoiseProblem& p, const std::vector<double>& asked) {
  p.orders = asked;
  std::sort(p.orders.begin(), p.orders.end());
  p.orders.erase(std::unique(p.orders.begin(), p.orders.end()), p.orders.end());
  for (const double order : asked) {
    const auto place = std::lower_bound(p.orders.begin(), p.orders.end(), order);
    p.planes.push_back({.low = static_cast<int>(place - p.orders.begin())});
  }
}

void plan_maps(NoiseProblem& p, const NoiseOptions& options) {
  p.estimator = options.estimator;
  p.two_pass = options.two_pass;
  if (!options.quantiles.orders.empty()) {
    plan_quantiles(p, options.quantiles.orders);
  } else if (p.estimator == NoiseEstimator::iqr) {
    p.orders = {0.25, 0.5, 0.75};
    p.planes = {{.low = 1},
                {.low = 0,
                 .high = 2,
                 .divisor = options.normal ? kNormalQuartilesToSigma : kQuartilesToSigma}};
  } else if (p.estimator == NoiseEstimator::mad) {
    p.orders = {0.5};
  }
  p.output.size.planes = p.planes.empty() ? 2 : static_cast<int>(p.planes.size());
  p.output.type = p.image.type == Type::f64 ? Type::f64 : Type::f32;
}

void check_grid(const NoiseProblem& p, const NoiseOptions& options) {
  if (options.refine != NoiseOptions().refine && options.mode != NoiseMode::grid)
    refuse(p.operation, fmt::format("refine {} is given, but the mode is {}; give mode grid",
                                    options.refine, name_of(options.mode)));
  if (!options.grid) return;
  if (options.mode != NoiseMode::grid)
    refuse(p.operation, fmt::format("a grid of {} is given, but the mode is {}; give mode grid",
                                    to_text(*options.grid), name_of(options.mode)));
}

Rows one_pass_needs(const NoiseProblem& p, Rows out) {
  return p.reads(whole_groups(out, p.row_step(), p.image.size.height));
}

double as_sample(double value, Type type) {
  Image one({1, 1}, type);
  store_sample(one.view(), 0, 0, 0, 0, value);
  return sample_at(one.view(), 0, 0, 0, 0);
}

}  // namespace

Rows NoiseProblem::rows_inside(Rows rows) const {
  Rows hull{image.size.height, 0};
  for (int row = rows.first; row < rows.end; ++row) {
    const int source = border_index(row, image.size.height, border);
    if (source == kNoPixel) continue;
    hull = {std::min(hull.first, source), std::max(hull.end, source + 1)};
  }
  return hull;
}

Rows NoiseProblem::difference_rows(Rows out) const {
  return rows_inside(one_pass_needs(*this, out));
}

Rows NoiseProblem::needs(Rows out) const {
  if (out.count() <= 0) return out;
  return one_pass_needs(*this, two_pass ? difference_rows(out) : out);
}

NoiseProblem make_noise_problem(const ImageInfo& image, const NoiseOptions& options) {
  NoiseProblem p;
  read_image(p, image, options.device);
  check_ranges(p.operation, options);
  p.box = options.box;
  check_grid(p, options);
  read_border(p, options.border);
  read_bins(p, options);
  check_orders(p, options.quantiles.orders);
  check_estimator(p, options);
  p.mode = options.mode == NoiseMode::binned ? NoiseMode::binned : NoiseMode::exact;
  p.blanks.zero = options.zero_is_blank;
  p.nomask = options.nomask;
  plan_maps(p, options);
  return p;
}

NoiseBox noise_grid_steps(const NoiseOptions& options) {
  return options.grid.value_or(
      NoiseBox{std::max(1, options.box.width / 4), std::max(1, options.box.height / 4)});
}

NoiseProblem make_percentile_problem(const ImageInfo& image, double percentile,
                                     const PercentileOptions& options) {
  NoiseProblem p;
  p.operation = "percentile_filter";
  read_image(p, image, options.device);
  check_ranges(p.operation, options);
  p.box = options.box;
  if (!(percentile >= -100 && percentile <= 100))
    refuse(p.operation,
           fmt::format("percentile {} is not offered; it can be -100 to 100", percentile));
  if (options.border == Border::valid)
    refuse(p.operation,
           "border valid is not offered; it can be reflect, reflect-101, replicate, constant, "
           "wrap or inside");
  check_constant(p.operation, options.border, options.constant, image.type);
  // NaN do not count, which is border inside.
  const bool none = std::isnan(options.constant);
  p.border = none && options.border == Border::constant ? Border::inside : options.border;
  p.constant = none ? 0 : as_sample(options.constant, image.type);
  p.orders = {percentile < 0 ? percentile + 100 : percentile};
  p.planes = {{.low = 0}};
  p.by_rank = p.nomask = p.all_count = true;
  p.blanks.infinities = false;
  return p;
}

}  // namespace tessera
