// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/stokes_value.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace tessera {
namespace {

constexpr int kCoefficients = kMostStokesOrder + 1;
using Terms = std::array<double, kCoefficients>;

/// The error of a value that has these derivatives by the coefficients.
double error_of(const Terms& slopes, View<const float> maps, Point pixel) {
  double variance = 0;
  for (int i = 0; i < kCoefficients; ++i)
    for (int j = 0; j <= i; ++j) {
      const int plane = StokesPlanes::covariance + i * (i + 1) / 2 + j;
      variance += (i == j ? 1 : 2) * slopes[static_cast<std::size_t>(i)] *
                  slopes[static_cast<std::size_t>(j)] * maps.at(pixel.x, pixel.y, 0, plane);
    }
  return std::sqrt(variance);
}

}  // namespace

StokesValue stokes_value(View<const float> maps, Point pixel, StokesCurve curve, double frequency) {
  const auto at = [&](int plane) -> double { return maps.at(pixel.x, pixel.y, 0, plane); };
  const bool log = curve == StokesCurve::log;
  const double x = frequency / at(StokesPlanes::reference), step = log ? std::log10(x) : x;
  const double first = at(StokesPlanes::coefficient);
  Terms power{1}, of_value{}, of_alpha{};
  double sum = 0, slope = 0;  // of terms, and of terms times their power
  for (int k = 0; k < kCoefficients; ++k) {
    const auto n = static_cast<std::size_t>(k);
    if (k > 0) power[n] = power[n - 1] * step;
    const double c = at(StokesPlanes::coefficient + k);
    if (log) {
      sum += k > 0 ? c * power[n] : 0;
      slope += k > 0 ? k * c * power[n - 1] : 0;
    } else {
      sum += c * power[n];
      slope += k * c * power[n];
    }
  }
  StokesValue value;
  value.intensity = log ? first * std::pow(10, sum) : sum;
  value.alpha = log ? slope : slope / sum;
  for (int k = 0; k < kCoefficients; ++k) {
    const auto n = static_cast<std::size_t>(k);
    if (log) {
      of_value[n] = value.intensity * (k > 0 ? std::numbers::ln10 * power[n] : 1 / first);
      of_alpha[n] = k > 0 ? k * power[n - 1] : 0;
    } else {
      of_value[n] = power[n];
      of_alpha[n] = (k - value.alpha) * power[n] / value.intensity;
    }
  }
  value.error = error_of(of_value, maps, pixel);
  value.alpha_error = error_of(of_alpha, maps, pixel);
  return value;
}

}  // namespace tessera
