// SPDX-License-Identifier: Apache-2.0
// Filters made of Gaussians as SciPy and scikit-image cut them off, and of their derivatives.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/refuse.hpp"
#include "tessera/filters.hpp"

namespace tessera {
namespace {

constexpr int kMostLineRadius = 4095;
constexpr int kMostOrder = 10;  // SciPy sets no limit, but digits are lost with every derivative

void check_sigma(double sigma) {
  if (!(sigma >= 0) || !std::isfinite(sigma))
    refuse("filter", fmt::format("sigma is {}; it must be 0 or more", sigma));
}

void check_line(double sigma, int order, int radius) {
  check_sigma(sigma);
  if (order < 0 || order > kMostOrder)
    refuse("filter", fmt::format("a derivative of order {} is not offered; it can be 0 to {}",
                                 order, kMostOrder));
  if (radius < 0 || radius > kMostLineRadius)
    refuse("filter", fmt::format("a radius of {} is not offered; it can be 0 to {}", radius,
                                 kMostLineRadius));
}

/// The n-th derivative of exp(-x^2 / (2 sigma^2)) is a polynomial times the same: its coefficients.
std::vector<double> derivative_polynomial(double sigma, int order) {
  const auto terms = static_cast<std::size_t>(order) + 1;
  std::vector<double> q(terms, 0.0);
  q[0] = 1;
  for (int step = 0; step < order; ++step) {
    std::vector<double> next(terms, 0.0);
    for (std::size_t k = 0; k < terms; ++k) {
      if (k > 0) next[k - 1] += static_cast<double>(k) * q[k];
      if (k + 1 < terms) next[k + 1] -= q[k] / (sigma * sigma);
    }
    q = next;
  }
  return q;
}

double value_at(const std::vector<double>& polynomial, double x) {
  double value = 0;
  for (auto k = polynomial.rbegin(); k != polynomial.rend(); ++k) value = value * x + *k;
  return value;
}

std::vector<double> line_along(double sigma, int radius, int order) {
  return gaussian_line(sigma, order, radius < 0 ? gaussian_radius(sigma) : radius);
}

Image no_weights(Size size) { return Image(size, Type::f64); }

/// The smaller filter lies on the middle of the larger one.
void add_to(Image& sum, const Image& filter, double factor) {
  const auto to = sum.as<double>();
  const auto from = filter.as<double>();
  const int left = (to.size.width - from.size.width) / 2,
            top = (to.size.height - from.size.height) / 2;
  for (int y = 0; y < from.size.height; ++y)
    for (int x = 0; x < from.size.width; ++x) to.at(left + x, top + y) += factor * from.at(x, y);
}

}  // namespace

int gaussian_radius(double sigma, double truncate) {
  check_sigma(sigma);
  const double radius = std::floor(truncate * sigma + 0.5);
  if (!(radius >= 0 && radius <= kMostLineRadius))
    refuse("filter", fmt::format("a Gaussian of sigma {} that ends at {} sigma is not offered; its "
                                 "radius can be 0 to {}",
                                 sigma, truncate, kMostLineRadius));
  return static_cast<int>(radius);
}

std::vector<double> gaussian_line(double sigma, int order, int radius) {
  check_line(sigma, order, radius);
  if (sigma == 0 && order > 0)
    refuse("filter", "a derivative needs a sigma of more than 0; it is 0");
  if (sigma == 0) return {1.0};
  std::vector<double> weights;
  double sum = 0;
  for (int x = -radius; x <= radius; ++x) {
    weights.push_back(std::exp(-0.5 * x * x / (sigma * sigma)));
    sum += weights.back();
  }
  const std::vector<double> polynomial = derivative_polynomial(sigma, order);
  // Sums multiply the pixel at x by the weight at x; a convolution would turn the line around.
  for (int x = -radius; x <= radius; ++x)
    weights[static_cast<std::size_t>(x + radius)] *= value_at(polynomial, -x) / sum;
  return weights;
}

Image gaussian_derivative(const GaussianSize& size, int order_x, int order_y) {
  return outer(line_along(size.sigma_x, size.radius_x, order_x),
               line_along(size.sigma_y, size.radius_y, order_y));
}

Image laplacian_of_gaussian(const GaussianSize& size) {
  Image sum = no_weights(gaussian_derivative(size, 0, 0).info().size);
  // Along an axis that is not smoothed there is nothing to differentiate.
  if (size.sigma_x > 0) add_to(sum, gaussian_derivative(size, 2, 0), 1);
  if (size.sigma_y > 0) add_to(sum, gaussian_derivative(size, 0, 2), 1);
  return sum;
}

Image difference_of_gaussians(const GaussianSize& low, const GaussianSize& high) {
  for (const double sigma : {low.sigma_x, low.sigma_y, high.sigma_x, high.sigma_y})
    check_sigma(sigma);
  const bool wider = low.sigma_x <= high.sigma_x && low.sigma_y <= high.sigma_y;
  if (!wider)
    refuse("filter",
           fmt::format("a difference of Gaussians of sigma {} (rows {}) and {} (rows {}) is not "
                       "offered; the second must not be less than the first",
                       low.sigma_x, low.sigma_y, high.sigma_x, high.sigma_y));
  const Image narrow = gaussian_derivative(low, 0, 0), wide = gaussian_derivative(high, 0, 0);
  const Size a = narrow.info().size, b = wide.info().size;
  Image difference = no_weights({std::max(a.width, b.width), std::max(a.height, b.height)});
  add_to(difference, narrow, 1);
  add_to(difference, wide, -1);
  return difference;
}

Image unsharp(const GaussianSize& size, double amount) {
  if (!std::isfinite(amount))
    refuse("filter", fmt::format("the amount is {}; it must be finite", amount));
  const Image blur = gaussian_derivative(size, 0, 0);
  Image sharp = no_weights(blur.info().size);
  add_to(sharp, blur, -amount);
  const auto weights = sharp.as<double>();
  weights.at(weights.size.width / 2, weights.size.height / 2) += 1 + amount;
  return sharp;
}

}  // namespace tessera
