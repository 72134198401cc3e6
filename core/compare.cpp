// SPDX-License-Identifier: Apache-2.0
#include "core/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.hpp"
#include "core/samples.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// How far a result is from the truth, infinite if only one of them is NaN or infinite.
double error_of(double truth, double result, Type type) {
  if (is_integer(type)) {
    const auto [least, most] = limits_of(type);
    const double wanted = std::isnan(truth) ? 0 : std::clamp(truth, least, most);
    return std::max(0.0, std::abs(wanted - result) - 0.5);
  }
  if (std::isnan(truth) || std::isnan(result))
    return std::isnan(truth) == std::isnan(result) ? 0 : std::numeric_limits<double>::infinity();
  return truth == result ? 0 : std::abs(truth - result);
}

}  // namespace

Comparison compare(AnyView truth, AnyView result, double bound) {
  if (truth.size != result.size || truth.type != Type::f64)
    throw Error(ErrorKind::failure, "compare: the truth must be f64 and of the result's size");
  const auto wanted = samples_as_double(truth), got = samples_as_double(result);
  Comparison comparison;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const double error = error_of(wanted[k], got[k], result.type);
    comparison.largest_error = std::max(comparison.largest_error, error);
    if (error <= bound || !comparison.disagreement.empty()) continue;
    const Size s = truth.size;
    const std::size_t pixel = k / s.channels, row = pixel / s.width;
    comparison.disagreement = fmt::format(
        "column {}, row {}, channel {}, plane {}: {} instead of {}, off by {} with a "
        "bound of {}",
        pixel % s.width, row % s.height, k % s.channels, row / s.height, got[k], wanted[k], error,
        bound);
  }
  return comparison;
}

Image as_double(AnyView view) {
  Image image(view.size, Type::f64);
  const auto samples = samples_as_double(view);
  std::copy(samples.begin(), samples.end(), image.as<double>().data);
  return image;
}

double largest_magnitude(AnyView view) {
  double largest = 0;
  for (const double sample : samples_as_double(view))
    if (std::isfinite(sample)) largest = std::max(largest, std::abs(sample));
  return largest;
}

}  // namespace tessera
