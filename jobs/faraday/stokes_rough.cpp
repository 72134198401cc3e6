// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/stokes_rough.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tessera/error.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

constexpr int kTerms = 6;  // of a curve of order 5, the highest that RM-Tools fits
constexpr int kLeastChannels = 16;
constexpr int kEnoughPixels = 500, kMostRows = 256;

/// The values without their polynomial of order 5; columns are made orthogonal twice.
std::vector<double> residuals(const std::vector<double>& t, std::vector<double> values) {
  std::vector<std::vector<double>> columns;
  const auto subtract = [](const std::vector<double>& from, std::vector<double>& of) {
    const double part = std::inner_product(from.begin(), from.end(), of.begin(), 0.0);
    for (std::size_t k = 0; k < of.size(); ++k) of[k] -= part * from[k];
  };
  for (int n = 0; n < kTerms; ++n) {
    std::vector<double> column(t.size(), 1.0);
    for (std::size_t k = 0; k < t.size(); ++k)
      if (n > 0) column[k] = columns.back()[k] * t[k];
    for (int pass = 0; pass < 2; ++pass)
      for (const auto& other : columns) subtract(other, column);
    const double length =
        std::sqrt(std::inner_product(column.begin(), column.end(), column.begin(), 0.0));
    if (!(length > 0)) break;
    for (double& value : column) value /= length;
    columns.push_back(std::move(column));
  }
  for (int pass = 0; pass < 2; ++pass)
    for (const auto& column : columns) subtract(column, values);
  return values;
}

/// From -1 to 1.
std::vector<double> centred(std::vector<double> places) {
  const auto [low, high] = std::ranges::minmax(places);
  for (double& place : places) place = high > low ? (2 * place - low - high) / (high - low) : 0;
  return places;
}

double mean_square(const std::vector<double>& values) {
  return std::inner_product(values.begin(), values.end(), values.begin(), 0.0) /
         static_cast<double>(values.size());
}

struct Left {
  double scatter, jumps;
};
Left left_over(const std::vector<double>& t, const std::vector<double>& values, double scale) {
  const std::vector<double> rest = residuals(t, values);
  double jumps = 0;
  for (std::size_t k = 1; k < rest.size(); ++k)
    jumps += (rest[k] - rest[k - 1]) * (rest[k] - rest[k - 1]);
  const double square = mean_square(rest);
  return {std::sqrt(square) / scale,
          square > 0 ? jumps / static_cast<double>(rest.size() - 1) / square : 0};
}

}  // namespace

// Measured on models of all curves and orders: stokes_rough_test.
bool StokesRoughness::is_data() const { return judged && scatter > 1e-4 && jumps > 1; }

StokesRoughness stokes_roughness(const std::vector<double>& frequencies,
                                 const std::vector<double>& values) {
  std::vector<double> f, log_f, finite, logarithms;
  double scale = 0;
  bool positive = true, negative = true;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!std::isfinite(values[k]) || values[k] == 0) continue;  // nothing is divided by 0
    f.push_back(frequencies[k]);
    log_f.push_back(std::log(frequencies[k]));
    finite.push_back(values[k]);
    logarithms.push_back(std::log(std::abs(values[k])));
    scale += std::abs(values[k]);
    positive &= values[k] > 0;
    negative &= values[k] < 0;
  }
  StokesRoughness rough;
  if (std::ssize(finite) < kLeastChannels) return rough;
  scale /= static_cast<double>(finite.size());
  Left best = left_over(centred(f), finite, scale);
  if (positive || negative) {
    const Left other = left_over(centred(log_f), logarithms, 1);
    if (other.scatter < best.scatter) best = other;
  }
  rough.judged = true;
  rough.scatter = best.scatter;
  rough.jumps = best.jumps;
  return rough;
}

void check_is_model(FaradayCubeSource& cube, const std::vector<double>& frequencies) {
  ImageInfo row = cube.info();
  const int height = row.size.height, rows = std::min(height, kMostRows);
  row.size.height = 1;
  if (row.size.planes < kLeastChannels) return;
  Image strip(row);
  int judged = 0;
  std::vector<double> scatters;
  // Every row is far from those before it: steps of the golden section, from the middle on.
  std::vector<bool> was_read(static_cast<std::size_t>(height), false);
  for (int n = 0; n < 2 * rows && judged < kEnoughPixels; ++n) {
    const double place = 0.5 + n * 0.6180339887498949;
    const int y = std::min(static_cast<int>((place - std::floor(place)) * height), height - 1);
    if (was_read[static_cast<std::size_t>(y)]) continue;
    was_read[static_cast<std::size_t>(y)] = true;
    cube.read({y, y + 1}, strip.view());
    for (int x = 0; x < row.size.width; ++x) {
      std::vector<double> values;
      for (int k = 0; k < row.size.planes; ++k) values.push_back(strip.as<float>().at(x, 0, 0, k));
      const StokesRoughness rough = stokes_roughness(frequencies, values);
      judged += rough.judged;
      if (rough.is_data()) scatters.push_back(rough.scatter);
    }
  }
  if (2 * std::ssize(scatters) <= judged) return;
  std::ranges::sort(scatters);
  throw Error(
      ErrorKind::usage,
      fmt::format(
          "faraday: {} is not a model of Stokes I: in {} of {} pixels its channels scatter "
          "around any smooth curve, by {:.2g} of their mean in half of them; fit it with "
          "faraday fit-i (or here: --fit-i 2), or give --allow-raw-model to divide by it as it is",
          cube.path(), scatters.size(), judged, scatters[scatters.size() / 2]));
}

}  // namespace tessera
