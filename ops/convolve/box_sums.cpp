// SPDX-License-Identifier: Apache-2.0
#include "ops/convolve/box_sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera {
namespace {

BoxSumType sum_type(const ConvolveProblem& p, double outside) {
  if (!is_integer(p.image.type)) return BoxSumType::f64;
  const double most = p.image.type == Type::u8 ? 255 : 65535;
  if (outside < 0 || outside > most || outside != std::floor(outside)) return BoxSumType::f64;
  const double largest = most * static_cast<double>(p.weights.size());
  if (p.image.type == Type::u8 && largest <= 65535) return BoxSumType::u16;
  return largest <= std::numeric_limits<int>::max() ? BoxSumType::i32 : BoxSumType::f64;
}

int odd_mean(double scale) {
  const double count = std::nearbyint(1 / scale);
  const bool is_mean = std::abs(scale * count - 1) < 1e-15 && count < 1e6;
  return is_mean && std::fmod(count, 2) == 1 ? static_cast<int>(count) : 0;
}

/// A sum over an odd number lies at least half of 1 / number away from where rounding changes. In
/// float the scale and the product are each off by half a unit in the last of 24 digits.
bool scales_in_float(const BoxSums& sums, Type output) {
  if (sums.type == BoxSumType::f64 || sums.mean_of == 0 || !is_integer(output)) return false;
  const double most = output == Type::u8 ? 255 : 65535;
  return most * 0x1p-23 < 0.49 / sums.mean_of;
}

}  // namespace

BoxSums box_sums(const ConvolveProblem& p) {
  const double weight = p.weights.front();
  const double outside = p.border == Border::constant ? p.constant : 0;
  if (p.image.type == Type::f64)
    return {BoxSumType::f64, weight, weight * outside, p.scale, 0, false};
  const double scale = weight * p.scale;
  BoxSums sums{sum_type(p, outside), 1, outside, scale, odd_mean(scale), false};
  sums.single = scales_in_float(sums, p.output.type);
  return sums;
}

std::string why_not_running(const ConvolveProblem& p) {
  if (!p.finite_weights) return "the filter has weights that are not finite; direct takes these";
  const auto [least, most] = std::ranges::minmax(p.weights);
  if (least != most)
    return fmt::format(
        "the filter's weights are {:.4g} to {:.4g}; running takes those that are all the same",
        least, most);
  if (!std::isfinite(p.weights.front() * p.scale))
    return fmt::format("a weight of {} times a scale of {} is not finite", least, p.scale);
  return "";
}

}  // namespace tessera
