// SPDX-License-Identifier: Apache-2.0
#include "tessera/filters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "core/refuse.hpp"
#include "core/stop.hpp"
#include "ops/convolve/filters/filter_split.hpp"

namespace tessera {
namespace {

/// Half a gigabyte of weights: anything larger is surely a typing error.
constexpr int kMostRadius = 4095;
constexpr long long kMostWeights = kMostFilterWeights;

/// A filter from a formula of the distance to its centre.
Image from_formula(int radius, const std::function<double(double, double)>& weight) {
  if (radius < 0 || radius > kMostRadius)
    refuse("filter",
           fmt::format("a radius of {} is not offered; it can be 0 to {}", radius, kMostRadius));
  Image filter({2 * radius + 1, 2 * radius + 1}, Type::f64);
  const auto weights = filter.as<double>();
  for (int y = -radius; y <= radius; ++y) {
    poll_stop();
    for (int x = -radius; x <= radius; ++x) weights.at(x + radius, y + radius) = weight(x, y);
  }
  return filter;
}

Image normalised(Image filter) {
  const auto weights = filter.as<double>();
  const Size s = filter.info().size;
  double sum = 0;
  for (int y = 0; y < s.height; ++y)
    for (int x = 0; x < s.width; ++x) sum += weights.at(x, y);
  for (int y = 0; y < s.height; ++y)
    for (int x = 0; x < s.width; ++x) weights.at(x, y) /= sum;
  return filter;
}

double positive(const char* what, double value) {
  if (!(value > 0) || !std::isfinite(value))
    refuse("filter", fmt::format("{} is {}; it must be more than 0", what, value));
  return value;
}

double finite_angle(double degrees) {
  if (!std::isfinite(degrees))
    refuse("filter",
           fmt::format("an angle of {} degrees is not a direction; it must be finite", degrees));
  return degrees * std::numbers::pi / 180;
}

int radius_or(int radius, double automatic) {
  if (radius >= 0) return radius;
  if (automatic > kMostRadius)
    refuse("filter", fmt::format("a radius of {:.0f} is not offered; it can be 0 to {}", automatic,
                                 kMostRadius));
  return static_cast<int>(automatic);
}

Image small_filter(const double (&weights)[9]) {
  Image filter({3, 3}, Type::f64);
  for (int k = 0; k < 9; ++k) filter.as<double>().at(k % 3, k / 3) = weights[k];
  return filter;
}

/// -1 0 1 along the axis, times `across`.
Image derivative(const char* name, const std::vector<double>& across, char axis) {
  if (axis == 'x') return outer({-1, 0, 1}, across);
  if (axis == 'y') return outer(across, {-1, 0, 1});
  refuse("filter", fmt::format("{} along '{}' is not known; it can be x or y", name, axis));
}

}  // namespace

Image gaussian(double sigma, int radius) { return anisotropic_gaussian(sigma, sigma, 0, radius); }

Image anisotropic_gaussian(double sigma_along, double sigma_across, double degrees, int radius) {
  positive("sigma", sigma_along);
  positive("sigma", sigma_across);
  const double turn = finite_angle(degrees), c = std::cos(turn), s = std::sin(turn);
  const double widest = std::max(sigma_along, sigma_across);
  return normalised(from_formula(radius_or(radius, std::ceil(4 * widest)), [=](double x, double y) {
    // Image rows are counted downwards, angles upwards.
    const double along = (x * c - y * s) / sigma_along, across = (x * s + y * c) / sigma_across;
    return std::exp(-0.5 * (along * along + across * across));
  }));
}

Image box(int width, int height) {
  if (width < 1 || height < 1)
    refuse("filter", fmt::format("a box of {}x{} has no weights; it needs at least one each way",
                                 width, height));
  if (1LL * width * height > kMostWeights)
    refuse("filter", fmt::format("a box of {}x{} has {} weights; it can have up to {}", width,
                                 height, 1LL * width * height, kMostWeights));
  Image filter({width, height}, Type::f64);
  const auto weights = filter.as<double>();
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) weights.at(x, y) = 1.0;
  return normalised(std::move(filter));
}

Image triangle(int n) {
  if (n < 1 || n % 2 == 0)
    refuse("filter", fmt::format("a triangle of {} has no middle; it needs an odd number", n));
  const int radius = n / 2;
  return normalised(from_formula(radius, [=](double x, double y) {
    return (radius + 1 - std::abs(x)) * (radius + 1 - std::abs(y));
  }));
}

Image sobel(char axis) { return derivative("sobel", {1, 2, 1}, axis); }
Image scharr(char axis) { return derivative("scharr", {3, 10, 3}, axis); }
Image prewitt(char axis) { return derivative("prewitt", {1, 1, 1}, axis); }

Image laplacian() { return small_filter({0, 1, 0, 1, -4, 1, 0, 1, 0}); }

Image gabor(double wavelength, double degrees, double sigma, int radius) {
  positive("wavelength", wavelength);
  positive("sigma", sigma);
  const double turn = finite_angle(degrees), c = std::cos(turn), s = std::sin(turn);
  return from_formula(radius_or(radius, std::ceil(3 * sigma)), [=](double x, double y) {
    return std::cos(2 * std::numbers::pi * (x * c - y * s) / wavelength) *
           std::exp(-0.5 * (x * x + y * y) / (sigma * sigma));
  });
}

}  // namespace tessera
